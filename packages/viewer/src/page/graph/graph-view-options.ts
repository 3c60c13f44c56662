import type { CommunityView, MemoryView, Picture } from "../../memory-view.js";
import type { ThemeSwitch } from "../theme.js";
import type { Filter } from "./scene.js";

export interface GraphViewOptions {
  picture: Picture;
  communities: readonly CommunityView[];
  renderer: MemoryView["renderer"];
  theme: ThemeSwitch;
  /** What it shows, for those who do not see it. */
  label: string;
  filter: Filter;
  /** A node was chosen, or none. */
  onChoose: (index: number | undefined) => void;
  /** Its page is wanted. */
  onOpen: (index: number) => void;
}
