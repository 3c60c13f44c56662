/** So many communities have a colour of their own, the largest. More could not be told apart. */
export const COMMUNITY_COLOURS = 8;

export function communityClass(community: number | undefined): string {
  return community === undefined || community >= COMMUNITY_COLOURS ? "community-other" : `community-${community}`;
}
