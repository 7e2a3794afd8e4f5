/** Settings of the plugin. */
export interface MenuSettings {
  /** Descriptions of the places for menus by name. */
  readonly locations: Readonly<Record<string, string>>;
  /** Whether everybody reads menus. */
  readonly public: boolean;
}
