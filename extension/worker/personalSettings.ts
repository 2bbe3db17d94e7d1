/**
 * The person's own settings, which no repository can make: what is recorded, which model is asked and how often, and files
 * outside of the workspace (SPEC D17, D25). They are kept beside the workspace, for every program of the person alike.
 */
import type { PersonalSettings } from "../generated/protocol";

/** Where they are kept. Nothing of it throws. */
export interface PersonalStore {
  /** What counts for each of these folders, by its path. */
  read(paths: readonly string[]): Record<string, PersonalSettings>;
  /** Says of a folder whether observations are kept; why that cannot be, where it cannot. */
  keepObservations(path: string, keep: boolean): string | undefined;
}

/** There are none: on the web nothing is on a disk of the person's. */
export const NO_PERSONAL_SETTINGS: PersonalStore = {
  read: () => ({}),
  keepObservations: () => "settings of your own are kept on a disk, and here is none",
};
