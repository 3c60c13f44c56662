import { type Camera, panBy, type Point, toScreen, zoomAt } from "./camera.js";
import { listenToGestures } from "./gestures.js";
import { GraphScreen } from "./graph-screen.js";
import type { GraphViewOptions } from "./graph-view-options.js";
import { createHitGrid, type HitGrid } from "./hit-grid.js";
import { listenToKeys } from "./keys.js";
import type { Filter } from "./scene.js";
import { type Direction, stepTo } from "./step-to.js";

/** A node that is looked at is at least as near as this. */
const NEAR = 0.5;
const KEY_PAN = 60;
const EDGE = 40;

/** A graph to pull, zoom, walk through by keys, and choose from. */
export class GraphView {
  readonly #screen: GraphScreen;
  readonly #find: HitGrid;
  readonly #options: GraphViewOptions;

  constructor(options: GraphViewOptions) {
    this.#options = options;
    this.#screen = new GraphScreen(options);
    this.#find = createHitGrid(this.#screen.scene);
    listenToGestures(this.element, {
      move: (change) => this.#move(change),
      hover: (point) => this.#hover(point),
      choose: (point) => this.choose(this.#at(point)),
      open: (point) => this.#openAt(point),
    });
    listenToKeys(this.element, {
      step: (direction) => this.#step(direction),
      pan: (way) => this.#move((camera) => panBy(camera, { x: -way.x * KEY_PAN, y: -way.y * KEY_PAN })),
      open: () => this.#open(this.#screen.marks.selected),
      clear: () => this.choose(undefined),
      zoom: (factor) => this.zoom(factor),
      fit: () => this.fit(),
    });
  }

  get element(): HTMLElement {
    return this.#screen.element;
  }

  choose(index: number | undefined, isNearer = false): void {
    const { scene, mover } = this.#screen;
    this.#screen.mark({ selected: index });
    const [node, camera] = [scene.nodes[index ?? -1], mover.camera()];
    if (node !== undefined && camera !== undefined && (isNearer || !isSeen(camera, node))) {
      const ratio = isNearer ? Math.max(camera.least, Math.min(camera.ratio, NEAR)) : camera.ratio;
      mover.fly({ ...camera, x: node.x, y: node.y, ratio });
    }
    this.#options.onChoose(index);
  }

  /** Lets all others step back. */
  match(matches: ReadonlySet<number> | undefined): void {
    this.#screen.mark({ matches });
  }

  filter(filter: Filter): void {
    this.#screen.filter(filter);
  }

  zoom(factor: number, point?: Point): void {
    const camera = this.#screen.mover.camera();
    if (camera !== undefined) this.#screen.mover.fly(zoomAt(camera, factor, point));
  }

  fit(): void {
    const overview = this.#screen.findOverview();
    if (overview !== undefined) this.#screen.mover.fly(overview);
  }

  #at(point: Point): number | undefined {
    const camera = this.#screen.mover.camera();
    return camera && this.#find(camera, point, this.#screen.shown);
  }

  #move(change: (camera: Camera) => Camera): void {
    const camera = this.#screen.mover.camera();
    if (camera !== undefined) this.#screen.mover.move(change(camera));
  }

  #hover(point: Point | undefined): void {
    const hovered = point && this.#at(point);
    if (hovered === this.#screen.marks.hovered) return;
    this.element.classList.toggle("over-node", hovered !== undefined);
    this.#screen.mark({ hovered });
  }

  #step(direction: Direction): void {
    const { scene, shown, marks } = this.#screen;
    const next = stepTo(scene, shown, { from: marks.selected, direction });
    if (next !== undefined) this.choose(next);
  }

  #openAt(point: Point): void {
    const index = this.#at(point);
    if (index === undefined) this.zoom(NEAR, point);
    else this.#open(index);
  }

  #open(index: number | undefined): void {
    if (index !== undefined) this.#options.onOpen(index);
  }
}

function isSeen(camera: Camera, place: Point): boolean {
  const { x, y } = toScreen(camera, place);
  return x > EDGE && y > EDGE && x < camera.width - EDGE && y < camera.height - EDGE;
}
