/** The profiles that ship, by the names that files use. */
export const PROFILE_NAMES = ['tickwright', 'cautious'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export function isProfileName(profile: string): profile is ProfileName {
  return (PROFILE_NAMES as readonly string[]).includes(profile);
}

/** True for what can only be the path of a profile: names that ship have neither dots nor slashes. */
export function isProfilePath(profile: string): boolean {
  return /[/\\.]/.test(profile);
}
