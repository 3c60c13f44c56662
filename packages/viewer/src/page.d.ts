/** Made by `build/inline-page.ts`: the page's script and style, bundled, as text. */
declare module "pml:page" {
  export const script: string;
  export const styles: string;
  /** The licences of what is bundled into it. */
  export const notice: string;
}
