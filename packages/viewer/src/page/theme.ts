type Theme = "light" | "dark";

const PREFERS_DARK = "(prefers-color-scheme: dark)";

export interface ThemeSwitch {
  read(): Theme;
  toggle(): void;
  /** Called whenever colours change, be it here or in the system. */
  onChange(listener: () => void): void;
}

/** That of the system, until somebody chooses. The choice is of this visit: a file has nowhere to keep it. */
export function createTheme(): ThemeSwitch {
  const system = matchMedia(PREFERS_DARK);
  const listeners: (() => void)[] = [];
  let chosen: Theme | undefined;
  const read = (): Theme => chosen ?? (system.matches ? "dark" : "light");
  const apply = (): void => {
    document.documentElement.dataset["theme"] = read();
    for (const listener of listeners) listener();
  };
  system.addEventListener("change", apply);
  apply();
  return {
    read,
    toggle() {
      chosen = read() === "dark" ? "light" : "dark";
      apply();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
