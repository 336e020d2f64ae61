// How the calling side reaches the engine's side: through a worker, or on the
// calling thread. Requests are answered in order of arrival at the engine.
// Read next: client.ts.

import { EngineHost } from "./engine/host.js";
import { AttnscopeError, faultOf } from "./errors.js";
import type { LoadProgress } from "./types.js";
import type {
  FromWorker,
  Replies,
  ReplyTo,
  Request,
  ToWorker,
} from "./worker-protocol.js";

export interface Channel {
  send<R extends Request>(request: R): Promise<ReplyTo<R>>;
  /** Ends the engine and frees its memory; open requests fail with this. */
  close(reason: AttnscopeError): void;
}

export type OnProgress = (progress: LoadProgress) => void;

/** `worker` undefined means a worker where there are workers. */
export function openChannel(
  worker: boolean | undefined,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Channel {
  const available = typeof Worker === "function";
  if (worker === true && !available) {
    throw new AttnscopeError(
      "worker-failed",
      "There are no workers here; pass { worker: false }.",
    );
  }
  return (worker ?? available)
    ? new WorkerChannel(onProgress)
    : new LocalChannel(onProgress, signal);
}

class LocalChannel implements Channel {
  private readonly host: EngineHost;
  private closed: AttnscopeError | undefined;

  constructor(onProgress: OnProgress, signal: AbortSignal | undefined) {
    this.host = new EngineHost(onProgress, signal);
  }

  async send<R extends Request>(request: R): Promise<ReplyTo<R>> {
    if (this.closed !== undefined) throw this.closed;
    try {
      return await this.host.handle(request);
    } catch (thrown) {
      const { code, message } = faultOf(thrown);
      throw new AttnscopeError(code, message);
    }
  }

  close(reason: AttnscopeError): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    this.host.dispose();
  }
}

interface Waiting {
  resolve(value: Replies[keyof Replies]): void;
  reject(reason: AttnscopeError): void;
}

class WorkerChannel implements Channel {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private closed: AttnscopeError | undefined;
  private nextId = 1;

  constructor(onProgress: OnProgress) {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
    });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      this.receive(data, onProgress);
    };
    this.worker.onerror = (event) => {
      const what = event.message || "its script did not load";
      this.close(
        new AttnscopeError(
          "worker-failed",
          `The engine's worker failed: ${what}.`,
        ),
      );
    };
  }

  async send<R extends Request>(request: R): Promise<ReplyTo<R>> {
    if (this.closed !== undefined) throw this.closed;
    const id = this.nextId++;
    const reply = new Promise<Replies[keyof Replies]>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
    });
    this.worker.postMessage({ id, request } satisfies ToWorker);
    return (await reply) as ReplyTo<R>;
  }

  close(reason: AttnscopeError): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }

  private receive(message: FromWorker, onProgress: OnProgress): void {
    switch (message.kind) {
      case "progress":
        onProgress(message.progress);
        return;
      case "reply":
        this.settle(message.id)?.resolve(message.value);
        return;
      case "fault":
        this.settle(message.id)?.reject(
          new AttnscopeError(message.fault.code, message.fault.message),
        );
        return;
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}
