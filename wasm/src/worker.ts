// The worker's entry: hands messages to the engine's host and answers each.
// Read next: engine/host.ts.

import { EngineHost } from "./engine/host.js";
import { faultOf } from "./errors.js";
import {
  transferables,
  type FromWorker,
  type ToWorker,
} from "./worker-protocol.js";

/** The part of a worker's global scope that is used, which the DOM types lack. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const host = new EngineHost((progress) => {
  scope.postMessage({ kind: "progress", progress });
});

scope.onmessage = ({ data: { id, request } }) => {
  host.handle(request).then(
    (value) => {
      scope.postMessage({ kind: "reply", id, value }, transferables(value));
    },
    (thrown: unknown) => {
      scope.postMessage({ kind: "fault", id, fault: faultOf(thrown) });
    },
  );
};
