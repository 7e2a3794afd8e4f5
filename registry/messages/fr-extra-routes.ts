/** French texts of the routes that the recorded index does not have, by their English text. */
export const frenchExtraRoutes: Readonly<Record<string, string>> = {
  'List the states of translations': 'Lister les états des traductions',
  'Returns for each post and each other language of the site whether a translation is missing, in progress, in review, a draft, outdated or done, with its job and its deadline.':
    'Indique pour chaque publication et chaque autre langue du site si une traduction manque, est en cours, en relecture, à l’état de brouillon, périmée ou terminée, avec sa tâche et son échéance.',
  'Count the states of translations': 'Compter les états des traductions',
  'Returns for each language how many translations are in each state.':
    'Renvoie pour chaque langue le nombre de traductions dans chaque état.',
  'Count the words of a translation job': 'Compter les mots d’une tâche de traduction',
  'Returns how many units, words and characters a job has, and how many of them are translated, known, repeated, similar or new.':
    'Renvoie le nombre d’unités, de mots et de caractères d’une tâche, et combien d’entre eux sont traduits, connus, répétés, semblables ou nouveaux.',
  'Read the log of a translation job': 'Lire le journal d’une tâche de traduction',
  'Returns the problems, reminders and decisions that were recorded for a job, the newest first.':
    'Renvoie les problèmes, les rappels et les décisions enregistrés pour une tâche, les plus récents en premier.',
  'Only this post, or the post that it is a translation of.':
    'Seulement cette publication, ou celle dont elle est la traduction.',
  'Only posts of these types.': 'Seulement les publications de ces types.',
  'Only posts in these languages.': 'Seulement les publications dans ces langues.',
  'Only translations into these languages.': 'Seulement les traductions vers ces langues.',
  'Only translations in these states.': 'Seulement les traductions dans ces états.',
  'Only translations whose deadline has passed, or only the others.':
    'Seulement les traductions dont l’échéance est dépassée, ou seulement les autres.',
  'Head of the page of the record as `get_head` shows it, null if it is not public. Present if `_fields` names it.':
    'En-tête de la page de l’enregistrement tel que `get_head` le montre, null s’il n’est pas public. Présent si `_fields` le nomme.',
  'What the SEO scores of the post are made from, null if the caller may not edit it. Present if `_fields` names it.':
    'Ce dont les notes SEO de la publication sont faites, null si l’appelant ne peut pas la modifier. Présent si `_fields` le nomme.',
  'List the glossary': 'Lister le glossaire',
  'Returns the terms of the site with their translations, and those that must not be translated, in alphabetical order.':
    'Renvoie les termes du site avec leurs traductions, et ceux qui ne doivent pas être traduits, par ordre alphabétique.',
  'Only terms of this language.': 'Seulement les termes de cette langue.',
  'Only terms with a translation into this language, and those that must not be translated.':
    'Seulement les termes traduits dans cette langue, et ceux qui ne doivent pas être traduits.',
  'Only terms that contain this text.': 'Seulement les termes qui contiennent ce texte.',
  'Add a term to the glossary': 'Ajouter un terme au glossaire',
  'Stores a term, in place of an entry that the glossary has for it in this language.':
    'Enregistre un terme, à la place de l’entrée que le glossaire a pour lui dans cette langue.',
  'The term.': 'Le terme.',
  'Language of the term.': 'Langue du terme.',
  'Whether the term is translated. If not, it must stay as it is in every language.':
    'Si le terme est traduit. Sinon, il doit rester tel quel dans toutes les langues.',
  'Whether only texts with the same capital letters are the term.':
    'Si seuls les textes avec les mêmes majuscules sont le terme.',
  'Translations of the term by language.': 'Traductions du terme par langue.',
  'What translators must know of the term.': 'Ce que les traducteurs doivent savoir du terme.',
  'Import terms from a CSV file': 'Importer des termes d’un fichier CSV',
  'Stores the terms of a CSV file with a line of column names, in place of entries that the glossary has for them. A file with a fault changes nothing.':
    'Enregistre les termes d’un fichier CSV dont la première ligne nomme les colonnes, à la place des entrées que le glossaire a pour eux. Un fichier fautif ne change rien.',
  'Language of the terms, unless the file has a column of this name.':
    'Langue des termes, sauf si le fichier a une colonne de ce nom.',
  'Read a term of the glossary': 'Lire un terme du glossaire',
  'Returns one entry of the glossary.': 'Renvoie une entrée du glossaire.',
  'Remove a term from the glossary': 'Retirer un terme du glossaire',
  'Removes an entry. Jobs that exist are no longer checked for it.':
    'Retire une entrée. Les tâches existantes ne sont plus comparées avec elle.',
  'ID of the entry.': 'Identifiant de l’entrée.',
  'Read the settings of string translation': 'Lire les réglages de la traduction des chaînes',
  'Returns the stored values by group and name, of all groups or of one.':
    'Renvoie les valeurs enregistrées par groupe et par nom, de tous les groupes ou d’un seul.',
  'Only this group of settings.': 'Seulement ce groupe de réglages.',
  'Read the subscription of the site': 'Lire l’abonnement du site',
  'Returns status, end and products of the subscription that was read last, and when.':
    'Renvoie l’état, la fin et les produits de l’abonnement lu en dernier, et la date de cette lecture.',
  'Read the SEO settings of the site': 'Lire les réglages SEO du site',
  'Returns what was stored about the owner of the site, its profiles, tracking, the configuration, integrations, whether they are connected and authorized, the country of keyphrases, and new content types.':
    'Renvoie ce qui a été enregistré sur le propriétaire du site, ses profils, le suivi, la configuration, les intégrations, si elles sont connectées et autorisées, le pays des requêtes cibles et les nouveaux types de contenu.',
  'Read the SEO settings of the caller': 'Lire les réglages SEO de l’appelant',
  'Returns which introductions the caller has seen, which alerts are dismissed, and whether videos may be embedded.':
    'Indique quelles présentations l’appelant a vues, quelles alertes sont masquées et si les vidéos peuvent être intégrées.',
};
