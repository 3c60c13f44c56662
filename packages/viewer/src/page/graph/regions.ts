import type { CommunityView } from "../../memory-view.js";
import { COMMUNITY_COLOURS } from "../community-class.js";

/** The name of a community, where most of it is. */
export interface Region {
  text: string;
  x: number;
  y: number;
}

interface RegionNode {
  x: number;
  y: number;
  community?: number;
}

/** In a smaller graph, and from nearer, nodes are named themselves. */
const REGIONS_FROM = 400;
export const REGIONS_UNTIL_RATIO = 0.6;
const LEAST_MEMBERS = 8;

export function listRegions(nodes: readonly RegionNode[], communities: readonly CommunityView[]): Region[] {
  if (nodes.length < REGIONS_FROM) return [];
  return communities.slice(0, COMMUNITY_COLOURS).flatMap(({ label }, index) => {
    const members = nodes.filter(({ community }) => community === index);
    if (members.length < LEAST_MEMBERS) return [];
    return [
      {
        text: label.split(", ")[0] ?? label,
        x: median(members.map(({ x }) => x)),
        y: median(members.map(({ y }) => y)),
      },
    ];
  });
}

/** What stands far away does not pull it along. */
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
