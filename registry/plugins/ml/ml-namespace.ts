import { type Namespace, defineNamespace, invalidParams } from '../../../lib/index.ts';
import { type Ports, extendNamespace, writeOption } from '../../plugin.ts';
import { createGlossary } from './glossary-handlers.ts';
import { MAX_CONFIG, mlDescriptor } from './ml-routes.ts';
import { CONFIG_OPTION, readConfigText } from './posts/source-texts.ts';
import { mlError } from './records/errors.ts';
import { hasExtraRoutes } from './services/service-options.ts';
import { createTranslationServices } from './services/services.ts';
import { createStates } from './states/states.ts';
import { validateXmlConfig } from './xml-config/xml-config.ts';

function checkSize(content: string): void {
  if (Buffer.byteLength(content) <= MAX_CONFIG) return;
  throw invalidParams([
    [
      'content',
      { code: 'rest_too_long', message: `content must not be longer than ${MAX_CONFIG} bytes.`, data: null },
    ],
  ]);
}

/** The custom XML configuration, which defines what translation jobs contain. */
function createXmlConfig({ store }: Pick<Ports, 'store'>): Namespace {
  return defineNamespace(mlDescriptor, {
    'ml.config.read': () => readConfigText(store),
    'ml.config.write': async ({ content }) => {
      checkSize(content);
      const isBlank = content.trim() === '';
      const errors = isBlank ? [] : validateXmlConfig(content);
      if (errors.length > 0) throw mlError('invalid_xml_config', { data: { errors } });
      await writeOption(store, CONFIG_OPTION, isBlank ? '' : content);
      return isBlank ? '' : content;
    },
    'ml.config.check': ({ content }) => {
      checkSize(content);
      return validateXmlConfig(content);
    },
  });
}

/** `ml/v1`: the custom XML configuration and, with the core controllers or if `config.ml.extraRoutes` is true, what is translated, and the glossary. */
export function createMlNamespace(ports: Ports): Namespace {
  const config = createXmlConfig(ports);
  if (!hasExtraRoutes(ports)) return config;
  const services = createTranslationServices(ports);
  return extendNamespace(extendNamespace(config, createStates(services)), createGlossary(services));
}
