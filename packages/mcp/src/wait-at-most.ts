/** Waits for something, and no longer than so. */
export async function waitAtMost(timeoutMs: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([event, timeout]);
  clearTimeout(timer);
}
