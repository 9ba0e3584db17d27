/** A bar that stays at the edge of a narrow screen, above the tabs where there are any. */
export const EDGE_BAR_CLASS =
  "max-lg:sticky max-lg:bottom-(--tabs) max-lg:-mx-4 max-lg:rounded-none max-lg:border-x-0 max-lg:border-b-0 max-lg:px-4 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:max-lg:-mx-6 sm:max-lg:px-6";
