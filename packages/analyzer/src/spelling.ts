/** Whether a text can stand as a name, without quotes. */
export function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** How a property is asked for: `.name`, or `["any text"]`. */
export function access(name: string): string {
  return isName(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
