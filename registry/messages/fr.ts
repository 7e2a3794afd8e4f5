/** French descriptions of parameters and fields, by their English text. */
export const french: Readonly<Record<string, string>> = {
  // several namespaces
  'Which fields are shown: view for readers, embed for previews, edit for editors.':
    'Champs affichés : view pour la lecture, embed pour les aperçus, edit pour la rédaction.',
  'Language of the content that the request is about.': 'Langue des contenus sur lesquels porte la requête.',

  // oembed/1.0
  'URL of the page to embed.': 'URL de la page à intégrer.',
  'Format of the response: json or xml.': 'Format de la réponse : json ou xml.',
  'Maximum width of the embed, in pixels.': 'Largeur maximale du contenu intégré, en pixels.',
  'Format to request from the provider.': 'Format à demander au fournisseur.',
  'Maximum height of the embed, in pixels.': 'Hauteur maximale du contenu intégré, en pixels.',
  'Whether to discover a provider that is not on the list from the page itself.':
    'Indique s’il faut chercher dans la page elle-même un fournisseur absent de la liste.',

  // seo/v1
  'URL of the file.': 'URL du fichier.',
  'Name of the post type whose notice to dismiss.':
    'Nom du type de publication dont l’avis doit être masqué.',
  'Name of the taxonomy whose notice to dismiss.': 'Nom de la taxonomie dont l’avis doit être masqué.',
  'ID of the introduction.': 'Identifiant de l’introduction.',
  'Whether the user has seen the introduction.': 'Indique si l’utilisateur a vu l’introduction.',
  'Whether videos of the video host may be embedded.':
    'Indique si les vidéos de l’hébergeur de vidéos peuvent être intégrées.',
  'Key of the alert to dismiss.': 'Clé de l’alerte à masquer.',
  'Whether the site represents a company or a person.':
    'Indique si le site représente une entreprise ou une personne.',
  'Name of the company.': 'Nom de l’entreprise.',
  'URL of the company logo.': 'URL du logo de l’entreprise.',
  'ID of the media item with the company logo.': 'Identifiant du média qui contient le logo de l’entreprise.',
  'URL of the picture of the person.': 'URL du portrait de la personne.',
  'ID of the media item with the picture of the person.':
    'Identifiant du média qui contient le portrait de la personne.',
  'ID of the user that the site represents.': 'Identifiant de l’utilisateur que le site représente.',
  'Tagline of the site.': 'Slogan du site.',
  'URL of the page on the first social network.': 'URL de la page sur le premier réseau social.',
  'Account name or profile URL on the second social network.':
    'Nom du compte ou URL du profil sur le second réseau social.',
  'URLs of profiles on other social networks.': 'URL des profils sur d’autres réseaux sociaux.',
  'ID of the user to edit.': 'Identifiant de l’utilisateur à modifier.',
  'Whether tracking is allowed.': 'Indique si le suivi est autorisé.',
  'Names of the finished first-time configuration steps.':
    'Noms des étapes terminées de la configuration initiale.',
  'URL of the page.': 'URL de la page.',
  'Whether the integration is active.': 'Indique si l’intégration est activée.',
  'Name of the integration.': 'Nom de l’intégration.',
  'Authorization code of the keyword tool.': 'Code d’autorisation de l’outil de mots-clés.',
  'Two-letter country code in lower case.': 'Code de pays à deux lettres minuscules.',
  'Keyphrase to find related keyphrases for.': 'Expression clé dont on cherche les expressions associées.',
  'Authorization code of the rank tracker.': 'Code d’autorisation du suivi de positions.',
  'ID of the website in the rank tracker.': 'Identifiant du site dans le suivi de positions.',
  'Keyphrases to track.': 'Expressions clés à suivre.',
  'Keyphrases to get the ranking of. Default: those of all posts.':
    'Expressions clés dont la position est demandée. Par défaut : celles de tous les articles.',
  'URL of the page to get the ranking of.': 'URL de la page dont la position est demandée.',
  'Start date of the ranking.': 'Date de début des positions.',

  // ml/tm/v1
  'ID of the translation job.': 'Identifiant de la tâche de traduction.',
  'List of records of the translation editor about the job.':
    'Liste d’enregistrements de l’éditeur de traduction sur la tâche.',
  'IDs of local jobs, separated by commas.': 'Identifiants de tâches locales, séparés par des virgules.',
  'Where the jobs are translated: all, local, remote or ate.':
    'Lieu de traduction des tâches : all, local, remote ou ate.',
  'Only the job with this ID.': 'Uniquement la tâche qui porte cet identifiant.',
  'Text to look for in the titles of the jobs.': 'Texte à chercher dans les titres des tâches.',
  'Code of the language to translate from.': 'Code de la langue source.',
  'Codes of the languages to translate into, separated by commas.':
    'Codes des langues cibles, séparés par des virgules.',
  'Numbers of job statuses, separated by commas.': 'Numéros des états de tâche, séparés par des virgules.',
  'Whether jobs whose original has changed are included or excluded.':
    'Indique si les tâches dont l’original a changé sont incluses ou exclues.',
  'Maximum number of jobs in the response.': 'Nombre maximal de tâches dans la réponse.',
  'Number of jobs to skip.': 'Nombre de tâches à ignorer.',
  'Columns to sort by, each with asc or desc.': 'Colonnes de tri, chacune avec asc ou desc.',
  'ID of the translator or name of the translation service.':
    'Identifiant du traducteur ou nom du service de traduction.',
  'Only jobs sent on or after this date.': 'Uniquement les tâches envoyées à cette date ou après.',
  'Only jobs sent on or before this date.': 'Uniquement les tâches envoyées à cette date ou avant.',
  'Only jobs due on or after this date.': 'Uniquement les tâches à rendre à cette date ou après.',
  'Only jobs due on or before this date.': 'Uniquement les tâches à rendre à cette date ou avant.',
  'ID of the job to assign.': 'Identifiant de la tâche à attribuer.',
  'Type of the job: post, string, package or st-batch_strings.':
    'Type de la tâche : post, string, package ou st-batch_strings.',
  'ID of the translator; 0 removes the assignment.': 'Identifiant du traducteur ; 0 annule l’attribution.',
  'ID of the translated job.': 'Identifiant de la tâche traduite.',
  'Type of the translated job.': 'Type de la tâche traduite.',
  'Whether to return JSON instead of an XLIFF file.':
    'Indique s’il faut renvoyer du JSON au lieu d’un fichier XLIFF.',
  'IDs of the batches to refresh.': 'Identifiants des lots à actualiser.',
  'Key of the lock, as returned by the first call.': 'Clé du verrou, renvoyée par le premier appel.',
  'Token of the running synchronisation.': 'Jeton de la synchronisation en cours.',
  'Page of jobs to synchronise.': 'Page de tâches à synchroniser.',
  'Total number of pages.': 'Nombre total de pages.',
  'ID of the job whose translation is ready.': 'Identifiant de la tâche dont la traduction est prête.',

  // ml/st/v1
  'Names of the plugins whose strings to import.':
    'Noms des extensions dont les chaînes doivent être importées.',
  'Names of the themes whose strings to import.': 'Noms des thèmes dont les chaînes doivent être importées.',
  'Names of other components whose strings to import.':
    'Noms des autres composants dont les chaînes doivent être importées.',
  'Group of the setting.': 'Groupe du réglage.',
  'Name of the setting within its group.': 'Nom du réglage au sein de son groupe.',
  'New value of the setting.': 'Nouvelle valeur du réglage.',

  // cms/v2: lists
  'Number of the page to show.': 'Numéro de la page à afficher.',
  'Number of items on a page.': 'Nombre d’éléments par page.',
  'Only items that contain these words.': 'Uniquement les éléments qui contiennent ces mots.',
  'Only posts published after this date.': 'Uniquement les articles publiés après cette date.',
  'Only posts changed after this date.': 'Uniquement les articles modifiés après cette date.',
  'Only posts published before this date.': 'Uniquement les articles publiés avant cette date.',
  'Only posts changed before this date.': 'Uniquement les articles modifiés avant cette date.',
  'Only posts by these authors.': 'Uniquement les articles de ces auteurs.',
  'Excludes posts by these authors.': 'Exclut les articles de ces auteurs.',
  'Excludes items with these IDs.': 'Exclut les éléments portant ces identifiants.',
  'Only items with these IDs.': 'Uniquement les éléments portant ces identifiants.',
  'How the search text is matched. With exact, a whole field must equal it.':
    'Manière de comparer le texte cherché. Avec exact, un champ entier doit lui être égal.',
  'Number of items to skip.': 'Nombre d’éléments à ignorer.',
  'Sort direction: ascending or descending.': 'Sens du tri : croissant ou décroissant.',
  'Attribute by which the posts are sorted.': 'Attribut selon lequel les articles sont triés.',
  'Fields to search in.': 'Champs dans lesquels chercher.',
  'Only posts with one of these slugs.': 'Uniquement les articles qui portent l’un de ces slugs.',
  'Only posts with one of these statuses.': 'Uniquement les articles qui ont l’un de ces états.',
  'Whether posts must match the filters of all taxonomies or of any of them.':
    'Indique si les articles doivent satisfaire les filtres de toutes les taxonomies ou d’au moins une.',
  'Only posts in these categories.': 'Uniquement les articles de ces catégories.',
  'List of term IDs.': 'Liste d’identifiants de termes.',
  'Term IDs and how they are matched.': 'Identifiants de termes et manière de les comparer.',
  'Term IDs.': 'Identifiants de termes.',
  'Whether child terms are included.': 'Indique si les termes enfants sont inclus.',
  'Whether a post must have all of the terms or any of them.':
    'Indique si un article doit porter tous les termes ou au moins l’un d’eux.',
  'Excludes posts in these categories.': 'Exclut les articles de ces catégories.',
  'Only posts with these tags.': 'Uniquement les articles qui portent ces étiquettes.',
  'Excludes posts with these tags.': 'Exclut les articles qui portent ces étiquettes.',
  'Whether to list only sticky posts (true) or only posts that are not sticky (false).':
    'Indique s’il faut lister uniquement les articles épinglés (true) ou uniquement les autres (false).',
  'Whether sticky posts are sorted like all other posts instead of coming first.':
    'Indique si les articles épinglés sont triés comme les autres au lieu de venir en premier.',
  'Only posts with one of these formats.': 'Uniquement les articles qui ont l’un de ces formats.',
  'Attribute by which the revisions are sorted.': 'Attribut selon lequel les révisions sont triées.',

  // cms/v2: one post
  'Length of automatic excerpts in words. Overrides the default.':
    'Longueur des extraits automatiques, en mots. Remplace la valeur par défaut.',
  'Password of a protected post.': 'Mot de passe d’un article protégé.',
  'Whether to delete the post permanently instead of moving it to the trash.':
    'Indique s’il faut supprimer l’article définitivement au lieu de le mettre à la corbeille.',
  'ID of the post.': 'Identifiant de l’article.',
  'When the post was or will be published, in the time zone of the site.':
    'Date de publication de l’article, passée ou à venir, dans le fuseau horaire du site.',
  'When the post was or will be published, in GMT.':
    'Date de publication de l’article, passée ou à venir, en GMT.',
  'Slug of the post, unique among posts of its type and language.':
    'Slug de l’article, unique parmi les articles de son type et de sa langue.',
  'Status of the post.': 'État de l’article.',
  'Password that protects the content and the excerpt.': 'Mot de passe qui protège le contenu et l’extrait.',
  'Title of the post.': 'Titre de l’article.',
  'Title as it was written.': 'Titre tel qu’il a été écrit.',
  'Title as HTML, ready for display.': 'Titre en HTML, prêt à être affiché.',
  'Content of the post.': 'Contenu de l’article.',
  'Content as it was written.': 'Contenu tel qu’il a été écrit.',
  'Content as HTML, ready for display.': 'Contenu en HTML, prêt à être affiché.',
  'Version of the block format of the content; 0 if it has no blocks.':
    'Version du format de blocs du contenu ; 0 s’il n’a pas de blocs.',
  'Whether a password is needed for the content.':
    'Indique si un mot de passe est nécessaire pour le contenu.',
  'ID of the author.': 'Identifiant de l’auteur.',
  'Excerpt of the post.': 'Extrait de l’article.',
  'Excerpt as it was written.': 'Extrait tel qu’il a été écrit.',
  'Excerpt as HTML, ready for display.': 'Extrait en HTML, prêt à être affiché.',
  'Whether a password is needed for the excerpt.':
    'Indique si un mot de passe est nécessaire pour l’extrait.',
  'ID of the featured image; 0 for none.': 'Identifiant de l’image mise en avant ; 0 s’il n’y en a pas.',
  'Whether readers can comment on the post.': 'Indique si les lecteurs peuvent commenter l’article.',
  'Whether other sites can notify the post of links to it.':
    'Indique si d’autres sites peuvent signaler à l’article leurs liens vers lui.',
  'Format of the post.': 'Format de l’article.',
  'Meta fields of the post.': 'Champs méta de l’article.',
  'Footnotes of the post, as JSON text.': 'Notes de bas de page de l’article, sous forme de texte JSON.',
  'Whether the post is sticky.': 'Indique si l’article est épinglé.',
  'Theme file that renders the post; empty for the default.':
    'Fichier du thème qui affiche l’article ; vide pour le fichier par défaut.',
  'IDs of the categories of the post.': 'Identifiants des catégories de l’article.',
  'IDs of the tags of the post.': 'Identifiants des étiquettes de l’article.',
  'Permanent URL that identifies the post, for example in feeds.':
    'URL permanente qui identifie l’article, par exemple dans les flux.',
  'Identifying URL as it is stored.': 'URL d’identification telle qu’elle est enregistrée.',
  'Identifying URL, ready for display.': 'URL d’identification, prête à être affichée.',
  'When the post was last changed, in the time zone of the site.':
    'Date de la dernière modification de l’article, dans le fuseau horaire du site.',
  'When the post was last changed, in GMT.': 'Date de la dernière modification de l’article, en GMT.',
  'Type of the post.': 'Type de l’article.',
  'URL of the post.': 'URL de l’article.',
  'CSS class names for the element that contains the post.':
    'Noms de classes CSS de l’élément qui contient l’article.',
  'URL of the post with a placeholder for the slug.': 'URL de l’article avec un emplacement réservé au slug.',
  'Slug made from the title.': 'Slug formé à partir du titre.',
  'Language of the post.': 'Langue de l’article.',
  'Translations of the post: language code to post ID.':
    'Traductions de l’article : code de langue et identifiant d’article.',

  // cms/v2: revisions and autosaves
  'ID of the revision.': 'Identifiant de la révision.',
  'ID of the post that the revision belongs to.': 'Identifiant de l’article auquel appartient la révision.',
  'ID of the author of the revision.': 'Identifiant de l’auteur de la révision.',
  'Must be true: revisions cannot be moved to the trash.':
    'Doit valoir true : les révisions ne peuvent pas être mises à la corbeille.',
  'When the revision was made, in the time zone of the site.':
    'Date de création de la révision, dans le fuseau horaire du site.',
  'When the revision was made, in GMT.': 'Date de création de la révision, en GMT.',
  'Permanent URL that identifies the revision.': 'URL permanente qui identifie la révision.',
  'When the revision was last changed, in the time zone of the site.':
    'Date de la dernière modification de la révision, dans le fuseau horaire du site.',
  'When the revision was last changed, in GMT.': 'Date de la dernière modification de la révision, en GMT.',
  'Slug of the revision, derived from the ID of its post.':
    'Slug de la révision, dérivé de l’identifiant de son article.',
  'ID of the post that the autosave belongs to.':
    'Identifiant de l’article auquel appartient la sauvegarde automatique.',
  'URL of a preview of the post.': 'URL d’un aperçu de l’article.',
};
