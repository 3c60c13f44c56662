import { element } from "../element.js";
import { type Camera, createCamera } from "./camera.js";
import { choosePainter } from "./choose-painter.js";
import { type Colours, readColours } from "./colours.js";
import type { GraphViewOptions } from "./graph-view-options.js";
import { isDimmed, type Marks, NO_MARKS } from "./marks.js";
import { createMover, type Mover } from "./mover.js";
import { createOverlay, type Overlay } from "./overlay.js";
import type { Painter } from "./painter.js";
import { applyFilter, createScene, type Filter, type Scene, type Shown } from "./scene.js";

/** What is seen of a graph, painted once a frame when something about it has changed. */
export class GraphScreen {
  readonly scene: Scene;
  readonly mover: Mover;
  readonly element: HTMLElement;
  readonly #painter: Painter;
  readonly #overlay: Overlay;
  readonly #base: HTMLElement;
  #shown: Shown;
  #colours: Colours;
  #marks: Marks = NO_MARKS;
  #frame = 0;

  constructor({ picture, communities, renderer, theme, label, filter }: GraphViewOptions) {
    this.scene = createScene(picture, communities);
    this.mover = createMover(() => this.#wantPaint());
    this.#painter = choosePainter(this.scene, renderer);
    this.#overlay = createOverlay(this.scene);
    this.#base = element("div", { class: "graph-base" }, this.#painter.element);
    const names = { role: "application", "aria-roledescription": "graph", "aria-label": label };
    const attributes = { class: "graph", tabindex: 0, ...names, "data-renderer": this.#painter.name };
    this.element = element("div", attributes, this.#base, this.#overlay.element);
    this.#shown = applyFilter(this.scene, filter);
    this.#colours = readColours(document.documentElement);
    new ResizeObserver(() => this.#resize()).observe(this.element);
    theme.onChange(() => {
      this.#colours = readColours(document.documentElement);
      this.#show();
    });
    this.#show();
  }

  get shown(): Shown {
    return this.#shown;
  }

  get marks(): Marks {
    return this.#marks;
  }

  mark(change: Partial<Marks>): void {
    this.#marks = { ...this.#marks, ...change };
    this.#wantPaint();
  }

  filter(filter: Filter): void {
    this.#shown = applyFilter(this.scene, filter);
    this.#show();
  }

  /** The camera from which all of it is seen; undefined while there is no window. */
  findOverview(): Camera | undefined {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return undefined;
    return createCamera(this.scene.box, { width, height, count: this.scene.nodes.length });
  }

  #resize(): void {
    const overview = this.findOverview();
    if (overview === undefined) return;
    const { width, height, unit, grain } = overview;
    this.mover.move({ ...(this.mover.camera() ?? overview), width, height, unit, grain });
  }

  #show(): void {
    this.#painter.show(this.#shown, this.#colours);
    this.#wantPaint();
  }

  #wantPaint(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    this.#frame = 0;
    const camera = this.mover.camera();
    if (camera === undefined) return;
    this.#base.classList.toggle("dimmed", isDimmed(this.#marks));
    this.#painter.paint(camera, this.mover.isMoving());
    this.#overlay.paint(camera, this.#marks, { shown: this.#shown, colours: this.#colours });
  }
}
