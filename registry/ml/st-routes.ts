import type { NamespaceDescriptor } from '../../lib/descriptor.ts';

/** interface.md 4.5, `ml/st/v1` */
export const mlStDescriptor = {
  namespace: 'ml/st/v1',
  routes: [
    {
      pattern: '/ml/st/v1/import_mo_strings',
      endpoints: [{
        methods: ['POST'], handler: 'ml.st.import', permission: 'manage_options',
        args: {
          plugins: { description: 'Names of the plugins whose strings are imported.', type: 'array' },
          themes: { description: 'Names of the themes whose strings are imported.', type: 'array' },
          other: { description: 'Names of other components whose strings are imported.', type: 'array' },
        },
      }],
    },
    {
      pattern: '/ml/st/v1/pre_generate_mo_files',
      endpoints: [{ methods: ['POST'], handler: 'ml.st.generate', permission: 'manage_options', args: {} }],
    },
    {
      pattern: '/ml/st/v1/settings',
      endpoints: [{
        methods: ['POST'], handler: 'ml.st.settings', permission: 'manage_options',
        args: {
          group: { description: 'Group of the setting.', required: true },
          key: { description: 'Name of the setting within its group.', required: true },
          data: { description: 'New value of the setting.', required: true },
        },
      }],
    },
  ],
} as const satisfies NamespaceDescriptor;
