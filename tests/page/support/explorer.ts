// The built page in a headless Chromium, and what tests ask of it. Nothing is
// faked here: the engine, the model and the pictures are the page's own.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import type { AsExplorer } from "../../../web/src/elements/as-explorer.js";
import type { State } from "../../../web/src/state/state.js";
import { serve, type Mount, type StaticServer } from "./static-server.js";

const at = (path: string) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const builtPage = at("web/dist");
export const talesFolder = at("web/public/models/tales");

/** A browser and a server for one file of tests. */
export class PageTester {
  readonly browser: Browser;
  readonly server: StaticServer;

  private constructor(browser: Browser, server: StaticServer) {
    this.browser = browser;
    this.server = server;
  }

  static async start(mounts: readonly Mount[] = []): Promise<PageTester> {
    if (!existsSync(`${builtPage}/index.html`)) {
      throw new Error(
        "web/dist is not built: npm run build --workspace wasm, then --workspace web",
      );
    }
    const server = await serve([{ at: "/", folder: builtPage }, ...mounts]);
    const browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
      ],
    });
    return new PageTester(browser, server);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }

  /** Opens the page and waits until it has computed its text. */
  async open(
    fragment = "",
    options: BrowserContextOptions = {},
  ): Promise<Explorer> {
    const explorer = await this.visit(fragment, options);
    await explorer.settled();
    return explorer;
  }

  /** Opens the page and waits for nothing. */
  async visit(
    fragment = "",
    options: BrowserContextOptions = {},
  ): Promise<Explorer> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    const explorer = new Explorer(page);
    await page.goto(this.server.url + fragment);
    return explorer;
  }
}

/** For expect.poll: long enough for a busy machine. */
export const soon = { timeout: 20_000 };

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** One open page, seen through its first explorer. */
export class Explorer {
  readonly page: Page;
  /** Console errors and uncaught exceptions so far. */
  readonly problems: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(message.text());
    });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  locator(selector: string): Locator {
    return this.page.locator(`as-explorer >> nth=0 >> ${selector}`);
  }

  /** Reads the state inside the page, where its arrays and maps are. */
  async read<T>(look: (state: State) => T): Promise<T> {
    await this.drawn();
    return this.page.evaluate(
      `(${look.toString()})(document.querySelector("as-explorer").store.state)`,
    ) as Promise<T>;
  }

  /** Waits until what was sent to the page (a click, a key) is handled and drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(resolve)),
        ),
    );
  }

  /** Waits until text, run and picture belong together, or a fault says why not. */
  async settled(): Promise<void> {
    await this.drawn();
    await this.page.waitForFunction(() => {
      const explorer = document.querySelector("as-explorer") as AsExplorer;
      const { model, stale, running, run, pattern, text, runFault } =
        explorer.store.state;
      if (running || !model) return false;
      if (text === "" || runFault) return true;
      return !stale && pattern?.runId === run?.id;
    });
    await this.drawn();
  }

  async type(text: string): Promise<void> {
    await this.locator("textarea").first().fill(text);
    await this.settled();
    expect(await this.read((state) => state.text)).toBe(text);
  }

  /** Presses a button that generates and waits for that generation's end. */
  async generate(button: string | RegExp): Promise<void> {
    const before = await this.page.evaluateHandle(
      () =>
        (document.querySelector("as-explorer") as AsExplorer).store.state
          .generation,
    );
    await this.page.getByRole("button", { name: button }).first().click();
    await this.page.waitForFunction((earlier) => {
      const { generation } = (
        document.querySelector("as-explorer") as AsExplorer
      ).store.state;
      return generation?.reason !== undefined && generation !== earlier;
    }, before);
  }

  /** Labels of a token strip, as text. */
  async strip(name = "Tokens"): Promise<string[]> {
    await this.drawn();
    return this.locator(
      `as-token-strip ol[aria-label="${name}"] .token`,
    ).allTextContents();
  }

  /** Sums of the chosen head's rows. */
  async rowSums(): Promise<number[]> {
    return this.read((state) => {
      const { rows, cols, weights } = state.pattern!;
      return Array.from({ length: rows }, (_, row) =>
        weights
          .subarray(row * cols, (row + 1) * cols)
          .reduce((sum, weight) => sum + weight, 0),
      );
    });
  }

  /** The canvas's colour in the middle of a cell, as 'r,g,b'. */
  async cellColour(row: number, col: number): Promise<string> {
    const { rows, cols } = await this.read((state) => ({
      rows: state.pattern!.rows,
      cols: state.pattern!.cols,
    }));
    return this.locator("as-heatmap canvas").evaluate(
      (element, place) => {
        const canvas = element as HTMLCanvasElement;
        const x = Math.floor(((place.col + 0.5) / place.cols) * canvas.width);
        const y = Math.floor(((place.row + 0.5) / place.rows) * canvas.height);
        const pixel = canvas.getContext("2d")!.getImageData(x, y, 1, 1).data;
        return [...pixel.slice(0, 3)].join();
      },
      { row, col, rows, cols },
    );
  }
}
