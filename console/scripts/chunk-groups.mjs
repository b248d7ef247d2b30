const src = (...parts) => new RegExp(`[\\/]src[\\/](${parts.join('|')})`)

const either = (...patterns) => new RegExp(patterns.map(({ source }) => source).join('|'))

/** Icons are tiny; one file of those that several screens show beats a request each. */
const commonIcons =
  /lucide-react[\\/].*[\\/]icons[\\/](arrow-down-to-line|check|circle-|chevron|copy|download|ellipsis|external-link|globe|minus|pencil|plus|search|star|trash|unplug|x)[\w-]*\.m?js/

/**
 * How the build puts modules into files. Left alone, the bundler makes a file of every set of modules that some screens share, which is
 * dozens of requests for a screen. A group takes its modules and whatever they import that no group before it has taken.
 */
export const chunkGroups = [
  // What the login screens share with the console, so that they never load the rest of it, and what both are made with.
  {
    name: 'base',
    test: either(
      /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
      // What `import()` becomes.
      /vite[\\/]preload-helper/,
      src(
        'styles/',
        'api/(call|client|errors|wire)',
        'api/generated/operations/(logout|me-account)\\.',
        'app/flash',
        'lib/(text|validate-name)',
        'ui/(class-names|create-icon|button-class|spinner|identicon|mark)\\.',
      ),
    ),
  },
  // Its steps after the password come when somebody meets one.
  { name: 'login', test: src('login/(?!steps/)') },
  // What every signed-in screen needs: router, cache, layouts, buttons.
  {
    name: 'frame',
    test: either(
      commonIcons,
      // The router's own cells. Tables use them as well, and would keep them from screens that have none.
      /node_modules[\\/]@tanstack[\\/](react-)?store[\\/]/,
      src(
        // The stream of changes begins once a screen is there.
        'api/(?!generated/|live/(?!state)|files)',
        // Operations go with what calls them. These are called from too many places to be anywhere else.
        'api/generated/operations/(groups|me|me-(groups|permissions|projects)|policy|system-(ip-pools|policy|silo-quotas|silos|users|utilization)|users)\\.',
        'lib/(base64|ip-number|numbers|units)\\.',
        'resource/(instance-docs|ip-pool-options|project-ip-pools|named-by-id|external-ips|external-ip-link)\\.',
        'app/(shell|scope|authenticated-layout|system-layout|silo-layout|project-layout|link-tabs|query-tabs|route-tabs|root-layout|error-screen|content-pane|button-link)\\.',
        // Loaders and titles of every screen; the plugin puts their components behind `?tsr-split`.
        'route-tree\\.gen',
        'routes/(?!.*(/-|tsr-split))',
        'ui/(description-cell|truncate|filter-field|refresh-button|refresh-control|control-class|use-now|byte-size|card-block|reveal-tab|properties-table|tab-class|page-header|empty-cell|empty-message|link-cell|badge|status|date-time|copy-button|message|skeleton)\\.',
      ),
    ),
  },
  {
    name: 'table',
    test: either(
      /lucide-react[\\/].*[\\/]icons[\\/](arrow-up-from-line|door-open|ethernet-port|route\.|shield-check|upload\.)/,
      src(
        'ui/(table|pagination|list-plus|enabled-badge)\\.',
        'app/(list-screen|list-table|new-link|resource-actions)\\.',
        'resource/(anti-affinity-group|browser-name|instance-link)\\.',
        // Small, and in every tab of a VPC.
        'resource/(vpc|vpc-(router-actions|subnet-actions)|router-(link|route|route-actions))\\.',
      ),
    ),
  },
  // One question per row of something else, which few screens ask.
  {
    name: 'queries',
    test: either(
      /@tanstack[\\/].*[\\/](useQueries|queriesObserver)\./,
      src('resource/(use-access|vpc-routes)\\.'),
    ),
  },
  // Left alone, it would share a file with the dialogs that use it, and bring their fields along.
  { name: 'images', test: src('resource/image-(actions|columns|docs)\\.') },
  // What menus share with the lists and dialogs of forms, which need not wait for the menus themselves.
  {
    name: 'overlay',
    test: either(
      /react-aria-components[\\/].*[\\/](Collection|Dialog|Popover)\.m?js/,
      /react-aria[\\/].*[\\/](collections|dialog|focus|overlays|selection)[\\/]/,
      /react-stately[\\/].*[\\/](collections|overlays|selection)[\\/]/,
      // A field of forms, which also stands above charts and some lists without a form.
      src('ui/listbox\\.'),
    ),
  },
  { name: 'menu', test: src('ui/menu-panel\\.') },
  // What the screens of disks share with the storage of an instance.
  {
    name: 'disks',
    test: src('resource/(disk-(state|state-badge|snapshot)|snapshot-toast)\\.'),
  },
  // What the screens of instances share.
  {
    name: 'compute',
    test: src(
      'resource/(instance-(actions|cells|polling|state|state-badge|update)|use-instance-resize|auto-restart|affinity-policy-badge)\\.',
      'routes/.*/-(cli-command|leave-key)\\.',
    ),
  },
  // What the screens of VPCs share beside their forms.
  {
    name: 'network',
    test: either(
      /lucide-react[\\/].*[\\/]icons[\\/]brick-wall-fire/,
      src(
        'resource/(vpc|firewall-rule|firewall-rule-(actions|cells|changes))\\.',
        'lib/icmp\\.',
        'ui/type-value\\.',
      ),
    ),
  },
  {
    name: 'form',
    test: either(
      // Small, and in the fields of several groups.
      /react-aria[\\/].*[\\/](useUpdateEffect|useTextField)/,
      /react-aria-components[\\/].*[\\/]Group\./,
      /react-router[\\/].*[\\/]useBlocker/,
      src(
        'ui/(progress-bar|secret-box)\\.',
        'ui/form/(side-modal-form|modal-form|name-field|description-field|radio-field|field-section|list-options|listbox-field|checkbox-field|mini-table|file-field)\\.',
        'app/use-resource-form\\.',
        'lib/ip\\.',
        'resource/(vpc-form|disk-form|instance-hardware|ip-pool-fields|disk-toasts|ssh-key-form|custom-router-field|vpc-subnet-form|label-field)\\.',
      ),
    ),
  },
  { name: 'accordion', test: src('ui/accordion\\.') },
  // Stepping and parsing numbers takes a lot, which forms without a number do not wait for.
  {
    name: 'number',
    test: src('ui/form/(number-field|disk-size-field)\\.', 'resource/instance-size-fields\\.'),
  },
  {
    name: 'combobox',
    test: src('ui/form/combobox-field\\.'),
  },
  // The fields of a route, which making and changing one share.
  {
    name: 'route-fields',
    test: src('routes/.*/-route-fields\\.', 'resource/router-route-form\\.'),
  },
  // The form for firewall rules, which three screens show.
  {
    name: 'firewall',
    test: src('routes/.*/-(create-firewall-rule|firewall-rule-form)\\.'),
  },
  // Dialogs and drawers that are opened from several screens, which do not wait for them.
  {
    name: 'pickers',
    test: src('resource/(disk-attach-dialog|image-project-field)\\.'),
  },
  { name: 'disk', test: src('resource/disk-create-form\\.') },
  // What the screens of silos share and no form has to wait for.
  {
    name: 'system',
    test: either(
      /lucide-react[\\/].*[\\/]icons[\\/]fingerprint/,
      src(
        'resource/(identity-provider-(actions|form)|silo-docs|silo-form|silo-identity-mode)\\.',
        'api/generated/operations/system-identity-providers\\.',
        'ui/boolean-cell\\.',
      ),
    ),
  },
  // What charts and logs have in common: a stretch of time, and files of what is shown.
  { name: 'records', test: src('ui/date-range-control\\.', 'lib/(csv|save-file|date-range)\\.') },
  // What the screens of pools and of floating IPs share.
  {
    name: 'addresses',
    test: either(
      /lucide-react[\\/].*[\\/]icons[\\/]unlink\./,
      src(
        'ui/(capacity-bar|big-number)\\.',
        'resource/(ip-pool-(actions|docs|utilization|utilization-cell)|silo-ip-pools|silo-names|floating-ip-actions)\\.',
      ),
    ),
  },
  // What the screens of the inventory share.
  {
    name: 'hardware',
    test: src('resource/(sled-actions|sled-link|hardware-badges|physical-disk-columns)\\.'),
  },
  {
    name: 'alerts',
    test: src('resource/alert-(delivery-cells|docs|receiver-actions|subscription-field)\\.'),
  },
  {
    name: 'bundles',
    test: either(
      /[\\/]src[\\/]api[\\/]files\./,
      src('resource/support-bundle(-actions|-docs)?\\.', 'lib/download\\.'),
    ),
  },
  { name: 'updates', test: src('resource/(target-release|trust-root|update-(docs|paths))\\.') },
  { name: 'audit', test: src('resource/audit-(actor|log|result-badge)\\.') },
  // Both screens of roles are one component. Left alone, it would share a file with whatever else has two users.
  {
    name: 'access',
    test: src('resource/(access|access-(cells|change|loss|loss-notice|page)|role|role-badge)\\.'),
  },
  // What screens with charts share. Drawing comes along: a chart without it is of no use.
  {
    name: 'chart',
    test: either(
      /node_modules[\\/]uplot[\\/]/,
      src(
        'ui/(chart/|refresh-picker\\.)',
        'resource/(metric-(chart|query|values|format|schemas)|provisioning-(charts|history)|oxql-(code|tokens))\\.',
        'routes/.*/-(metrics-range|part-metrics)\\.',
      ),
    ),
  },
  // What the list of second factors shares with setting one up and with the steps of signing in.
  {
    name: 'sign-in',
    test: src(
      'api/generated/operations/me-(recovery-codes|second-factors)\\.',
      'lib/(base64-url|passkeys)\\.',
      'resource/sign-in-again\\.',
    ),
  },
  // Setting up a second factor: in the settings, and where a silo requires one, between signing in and the console.
  {
    name: 'second-factor',
    test: either(
      /node_modules[\\/]uqr[\\/]/,
      src('resource/second-factor-(form|passkey|recovery-codes|setup|totp)\\.'),
    ),
  },
  // What is left and shared goes by which screens use it; small sets join their neighbours.
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000 },
].map((group, index, { length }) => ({ ...group, priority: length - index }))
