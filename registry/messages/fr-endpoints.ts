/** French summaries and descriptions of endpoints, by their English text. */
export const frenchEndpoints: Readonly<Record<string, string>> = {
  // several namespaces
  'Show the index': 'Afficher l’index',
  'Lists the namespaces and routes of this interface with their methods and parameters.':
    'Liste les espaces de noms et les routes de cette interface avec leurs méthodes et leurs paramètres.',
  'Send several requests at once': 'Envoyer plusieurs requêtes à la fois',
  'Runs several writes in order in one call and, on request, none of them unless all are valid.':
    'Exécute dans l’ordre plusieurs écritures en un seul appel et, sur demande, aucune tant que toutes ne sont pas valables.',
  'Show a namespace': 'Afficher un espace de noms',
  'Lists the routes of this namespace with their methods and parameters.':
    'Liste les routes de cet espace de noms avec leurs méthodes et leurs paramètres.',

  // oembed/1.0
  'Describe a page of this site for embedding': 'Décrire une page de ce site à intégrer',
  'Returns the title, author, size and HTML snippet with which another site can embed a published post, as JSON or XML.':
    'Renvoie le titre, l’auteur, les dimensions et le fragment HTML avec lesquels un autre site peut intégrer un article publié, en JSON ou en XML.',
  'Find the embed code of any page': 'Trouver le code d’intégration d’une page',
  'Asks the provider of a page for its embed code, so that an editor can show a preview, and caches the result for one day.':
    'Demande au fournisseur d’une page son code d’intégration, afin qu’un éditeur puisse en afficher un aperçu, et garde le résultat pendant une journée.',

  // ml/v1
  'Read the translation rules of the site': 'Lire les règles de traduction du site',
  'Returns the XML configuration that says which fields, taxonomies and texts are translated, or an empty text if there is none.':
    'Renvoie la configuration XML qui indique quels champs, taxonomies et textes sont traduits, ou un texte vide s’il n’y en a pas.',
  'Replace the translation rules of the site': 'Remplacer les règles de traduction du site',
  'Checks an XML configuration, saves it and applies it to the translation jobs that are created from then on; an empty text removes it.':
    'Vérifie une configuration XML, l’enregistre et l’applique aux tâches de traduction créées par la suite ; un texte vide la supprime.',
  'Check translation rules without saving them': 'Vérifier des règles de traduction sans les enregistrer',
  'Reports each mistake of an XML configuration with its line and column, or an empty list if it can be saved.':
    'Signale chaque erreur d’une configuration XML avec sa ligne et sa colonne, ou renvoie une liste vide si elle peut être enregistrée.',

  // secscan/v1
  'Get a nonce to sign': 'Obtenir un nonce à signer',
  'Returns a nonce that the security dashboard signs to prove its identity and, if one is configured, the address of the administration.':
    'Renvoie un nonce que le tableau de bord de sécurité signe pour prouver son identité et, si elle est configurée, l’adresse de l’administration.',
  'Exchange a signed nonce for a token': 'Échanger un nonce signé contre un jeton',
  'Checks the signature of the connected dashboard over a nonce and returns a token that is valid for ten minutes.':
    'Vérifie la signature du tableau de bord connecté sur un nonce et renvoie un jeton valable dix minutes.',
  'Exchange a nonce signed by the controller for a token':
    'Échanger un nonce signé par le contrôleur contre un jeton',
  'Checks the signature of the configured controller over a nonce and the e-mail address of an administrator, and returns the token with which a dashboard can be connected.':
    'Vérifie la signature du contrôleur configuré sur un nonce et l’adresse e-mail d’un administrateur, puis renvoie le jeton qui permet de connecter un tableau de bord.',
  'Read the scan settings': 'Lire les réglages de l’analyse',
  'Returns the settings of the security scan, all or those that are named, with facts about the site such as its version and languages.':
    'Renvoie les réglages de l’analyse de sécurité, tous ou seulement ceux qui sont nommés, avec des informations sur le site telles que sa version et ses langues.',
  'Change the scan settings': 'Modifier les réglages de l’analyse',
  'Saves the given settings of the security scan together, or none of them if one is not valid.':
    'Enregistre ensemble les réglages donnés de l’analyse de sécurité, ou aucun si l’un d’eux n’est pas valable.',
  'Disconnect the dashboard': 'Déconnecter le tableau de bord',
  'Deletes the keys of the connected dashboard and revokes every token that it was given.':
    'Supprime les clés du tableau de bord connecté et révoque tous les jetons qui lui ont été délivrés.',
  'Connect a dashboard': 'Connecter un tableau de bord',
  'Stores the public key and the site ID of a dashboard and returns the public key that this site created for the connection.':
    'Enregistre la clé publique et l’identifiant de site d’un tableau de bord et renvoie la clé publique que ce site a créée pour la connexion.',
  'List the issues that the scan found': 'Lister les problèmes trouvés par l’analyse',
  'Returns the findings of the security scan with the most severe first, either all of them by status or only those that are pending.':
    'Renvoie les résultats de l’analyse de sécurité, les plus graves en premier, soit tous classés par état, soit uniquement ceux en attente.',
  'Start a scan': 'Lancer une analyse',
  'Starts a security scan of the content and the settings in the background and returns its ID, unless a scan is already running.':
    'Lance en arrière-plan une analyse de sécurité du contenu et des réglages et renvoie son identifiant, sauf si une analyse est déjà en cours.',
  'Stop the running scan': 'Arrêter l’analyse en cours',
  'Stops the security scan if one is running and keeps the issues that it has found so far.':
    'Arrête l’analyse de sécurité si elle est en cours et conserve les problèmes trouvés jusque-là.',
  'Ignore, reopen or delete an issue': 'Ignorer, rouvrir ou supprimer un problème',
  'Changes the status of an issue to new, ignored until its content changes, or ignored for good, or deletes it.':
    'Donne à un problème l’état nouveau, ignoré jusqu’au prochain changement ou ignoré définitivement, ou le supprime.',

  // seo/v1
  'Get the size of an uploaded file': 'Obtenir la taille d’un fichier envoyé',
  'Returns the number of bytes of a media file of this site, found by its URL.':
    'Renvoie le nombre d’octets d’un fichier média de ce site, trouvé par son URL.',
  'Summarise the SEO scores of the posts': 'Résumer les scores SEO des articles',
  'Counts posts by the quality of their search optimisation: those of the whole site for editors, their own for other users.':
    'Compte les articles selon la qualité de leur référencement : ceux de tout le site pour les éditeurs, les leurs pour les autres utilisateurs.',
  'Dismiss the notice about a new post type': 'Masquer l’avis sur un nouveau type de publication',
  'Removes a post type from the list of those that have newly become public and, with the last one, the notice about them.':
    'Retire un type de publication de la liste de ceux devenus publics récemment et, avec le dernier, l’avis qui les signale.',
  'Dismiss the notice about a new taxonomy': 'Masquer l’avis sur une nouvelle taxonomie',
  'Removes a taxonomy from the list of those that have newly become public and, with the last one, the notice about them.':
    'Retire une taxonomie de la liste de celles devenues publiques récemment et, avec la dernière, l’avis qui les signale.',
  'Record that an introduction was seen': 'Noter qu’une introduction a été vue',
  'Remembers for the calling user whether an introduction has been seen, so that it is not shown again.':
    'Retient pour l’utilisateur appelant si une introduction a été vue, afin qu’elle ne lui soit plus montrée.',
  'Ask whether videos may be embedded': 'Savoir si les vidéos peuvent être intégrées',
  'Tells whether the calling user has allowed videos of the video host to be embedded.':
    'Indique si l’utilisateur appelant a autorisé l’intégration des vidéos de l’hébergeur de vidéos.',
  'Allow or forbid embedded videos': 'Autoriser ou interdire les vidéos intégrées',
  'Saves for the calling user whether videos of the video host may be embedded.':
    'Enregistre pour l’utilisateur appelant si les vidéos de l’hébergeur de vidéos peuvent être intégrées.',
  'Dismiss an alert': 'Masquer une alerte',
  'Hides an alert of the administration from the calling user for good.':
    'Masque définitivement une alerte de l’administration pour l’utilisateur appelant.',
  'Say whom the site represents': 'Indiquer qui le site représente',
  'Saves whether the site represents a company or a person, with the name, logo and tagline that search engines are given.':
    'Enregistre si le site représente une entreprise ou une personne, avec le nom, le logo et le slogan transmis aux moteurs de recherche.',
  'Save the social profiles of the site': 'Enregistrer les profils sociaux du site',
  'Saves the addresses of the site on social networks together, or none of them if one is not valid.':
    'Enregistre ensemble les adresses du site sur les réseaux sociaux, ou aucune si l’une d’elles n’est pas valable.',
  'Ask whether the caller may edit a user': 'Savoir si l’appelant peut modifier un utilisateur',
  'Tells in the body of the response whether the calling user may edit the profile of the given user.':
    'Indique dans le corps de la réponse si l’utilisateur appelant peut modifier le profil de l’utilisateur donné.',
  'Allow or forbid tracking': 'Autoriser ou interdire le suivi',
  'Saves whether usage data may be collected, although the site itself never sends any.':
    'Enregistre si des données d’utilisation peuvent être collectées, bien que le site lui-même n’en envoie jamais.',
  'Save the progress of the first-time configuration':
    'Enregistrer la progression de la configuration initiale',
  'Stores which steps of the first-time configuration are finished, so that it can be continued later.':
    'Retient quelles étapes de la configuration initiale sont terminées, afin qu’elle puisse être reprise plus tard.',
  'Read the progress of the first-time configuration': 'Lire la progression de la configuration initiale',
  'Returns the names of the finished steps of the first-time configuration.':
    'Renvoie les noms des étapes terminées de la configuration initiale.',
  'Import SEO data from another source': 'Importer des données SEO d’une autre source',
  'Takes over one batch of titles, descriptions and other SEO fields, fills only fields that still have their defaults, and returns the address of the next batch.':
    'Reprend un lot de titres, de descriptions et d’autres champs SEO, ne remplit que les champs qui ont encore leur valeur par défaut et renvoie l’adresse du lot suivant.',
  'Get the head markup of a page': 'Obtenir les balises d’en-tête d’une page',
  'Returns the title, meta tags, links to translations and structured data of a page, as HTML and as JSON, for a front end that renders the page itself.':
    'Renvoie le titre, les balises meta, les liens vers les traductions et les données structurées d’une page, en HTML et en JSON, pour une application qui affiche elle-même la page.',
  'Index the next posts': 'Indexer les articles suivants',
  'Builds the SEO records of up to 25 posts for which they are missing or out of date, and returns the address of the next batch.':
    'Crée les fiches SEO manquantes ou périmées de 25 articles au plus et renvoie l’adresse du lot suivant.',
  'Index the next terms': 'Indexer les termes suivants',
  'Builds the SEO records of up to 25 categories and tags for which they are missing or out of date, and returns the address of the next batch.':
    'Crée les fiches SEO manquantes ou périmées de 25 catégories et étiquettes au plus et renvoie l’adresse du lot suivant.',
  'Index the archives of post types': 'Indexer les archives des types de publication',
  'Builds the SEO records of the archive of each post type in each language, up to 25 at a time.':
    'Crée les fiches SEO de l’archive de chaque type de publication dans chaque langue, 25 au plus à la fois.',
  'Index the general pages': 'Indexer les pages générales',
  'Builds the SEO records of the home page, the date archive, the search page and the error page in each language.':
    'Crée les fiches SEO de la page d’accueil, de l’archive par date, de la page de recherche et de la page d’erreur dans chaque langue.',
  'Begin an indexing run': 'Commencer une indexation',
  'Records that an indexing run has started and how much there is to index, so that its progress can be shown.':
    'Note qu’une indexation a commencé et ce qu’il reste à indexer, afin que sa progression puisse être affichée.',
  'Mark the SEO records as complete': 'Marquer les fiches SEO comme complètes',
  'Records that all SEO records are built and that only the links remain to be counted.':
    'Note que toutes les fiches SEO sont créées et qu’il ne reste que les liens à compter.',
  'End an indexing run': 'Terminer une indexation',
  'Records that the indexing run has finished, when it did and how much was indexed.':
    'Note que l’indexation est terminée, à quel moment et ce qui a été indexé.',
  'Count the links of the next posts': 'Compter les liens des articles suivants',
  'Finds the links in the content of up to 5 posts, matches them to pages of the site and updates the link counts of both ends.':
    'Trouve les liens dans le contenu de 5 articles au plus, les associe aux pages du site et met à jour le nombre de liens aux deux bouts.',
  'Count the links of the next terms': 'Compter les liens des termes suivants',
  'Finds the links in the descriptions of up to 5 categories and tags, matches them to pages of the site and updates the link counts of both ends.':
    'Trouve les liens dans la description de 5 catégories et étiquettes au plus, les associe aux pages du site et met à jour le nombre de liens aux deux bouts.',
  'Switch an integration on or off': 'Activer ou désactiver une intégration',
  'Activates or deactivates a connected tool, such as the keyword tool or the rank tracker.':
    'Active ou désactive un outil connecté, tel que l’outil de mots-clés ou le suivi de positions.',
  'Search the custom fields of a post': 'Chercher parmi les champs personnalisés d’un article',
  'Lists up to 25 custom fields of a post whose names begin with the given text, with their values.':
    'Liste jusqu’à 25 champs personnalisés d’un article dont le nom commence par le texte donné, avec leurs valeurs.',
  'Connect the keyword tool': 'Connecter l’outil de mots-clés',
  'Exchanges an authorization code for the tokens of the keyword tool, which are stored and never returned.':
    'Échange un code d’autorisation contre les jetons de l’outil de mots-clés, qui sont conservés et jamais renvoyés.',
  'Choose the country of keyword searches': 'Choisir le pays des recherches de mots-clés',
  'Saves the country in which related keyphrases are looked up.':
    'Enregistre le pays dans lequel les expressions associées sont recherchées.',
  'Find related keyphrases': 'Trouver des expressions associées',
  'Asks the keyword tool for phrases that people search for in the same context, with the volume, trend, intent and difficulty of each.':
    'Demande à l’outil de mots-clés des expressions recherchées dans le même contexte, avec le volume, la tendance, l’intention et la difficulté de chacune.',
  'Start to connect the rank tracker': 'Commencer la connexion au suivi de positions',
  'Returns the address at which a user allows this site to use their account of the rank tracker.':
    'Renvoie l’adresse à laquelle un utilisateur autorise ce site à employer son compte de suivi de positions.',
  'Connect the rank tracker': 'Connecter le suivi de positions',
  'Exchanges an authorization code for the tokens of the rank tracker and stores the ID of the tracked website.':
    'Échange un code d’autorisation contre les jetons du suivi de positions et enregistre l’identifiant du site suivi.',
  'Track keyphrases': 'Suivre des expressions clés',
  'Adds keyphrases to the account of the rank tracker, unless its limit would be exceeded.':
    'Ajoute des expressions clés au compte du suivi de positions, à condition que sa limite ne soit pas dépassée.',
  'Get the rankings of keyphrases': 'Obtenir les positions d’expressions clés',
  'Returns the positions of tracked keyphrases over time, for the whole site or for one page.':
    'Renvoie l’évolution des positions des expressions clés suivies, pour tout le site ou pour une page.',
  'Stop tracking a keyphrase': 'Ne plus suivre une expression clé',
  'Removes a keyphrase from the account of the rank tracker.':
    'Retire une expression clé du compte du suivi de positions.',
  'Get the limit of the rank tracker account': 'Obtenir la limite du compte de suivi de positions',
  'Tells how many keyphrases the account may track, how many it tracks, and whether one more can be added.':
    'Indique combien d’expressions clés le compte peut suivre, combien il en suit et si une de plus peut être ajoutée.',
  'Get the current upgrade offer': 'Obtenir l’offre de mise à niveau en cours',
  'Returns the discount on a larger account of the rank tracker and its duration in months, or nulls if there is none.':
    'Renvoie la remise sur un compte de suivi de positions plus grand et sa durée en mois, ou des valeurs nulles s’il n’y en a pas.',
  'Read the SEO workouts': 'Lire les exercices SEO',
  'Returns the progress of the workouts on cornerstone content and orphaned posts, with the posts that each step concerns.':
    'Renvoie la progression des exercices sur les contenus piliers et les articles orphelins, avec les articles concernés par chaque étape.',
  'Save the progress of the SEO workouts': 'Enregistrer la progression des exercices SEO',
  'Merges the given steps and posts into the saved progress of the workouts and returns the result.':
    'Fusionne les étapes et les articles donnés avec la progression enregistrée des exercices et renvoie le résultat.',

  // ml/tm/v1
  'Store what the translation editor reports about a job':
    'Enregistrer ce que l’éditeur de traduction indique d’une tâche',
  'Records the ID and the status that the translation editor gave a job, and takes in its translated XLIFF file if one is delivered.':
    'Retient l’identifiant et l’état que l’éditeur de traduction a donnés à une tâche, et reçoit son fichier XLIFF traduit s’il est livré.',
  'Get the XLIFF file of a job': 'Obtenir le fichier XLIFF d’une tâche',
  'Returns the texts of a job as an XLIFF file in base64, ready for a translation tool.':
    'Renvoie les textes d’une tâche dans un fichier XLIFF en base64, prêt pour un outil de traduction.',
  'Register the caller as translation manager': 'Inscrire l’appelant comme gestionnaire de traduction',
  'Registers this site with the translation service, with the calling user as its manager.':
    'Inscrit ce site auprès du service de traduction, avec l’utilisateur appelant comme gestionnaire.',
  'Synchronise the translators': 'Synchroniser les traducteurs',
  'Tells the translation service which users may translate, and returns for each of them whether the service has a subscription.':
    'Communique au service de traduction quels utilisateurs peuvent traduire et indique pour chacun d’eux si le service tient un abonnement.',
  'Synchronise the translation managers': 'Synchroniser les gestionnaires de traduction',
  'Tells the translation service which users manage translations, and returns for each of them whether the service has a subscription.':
    'Communique au service de traduction quels utilisateurs gèrent les traductions et indique pour chacun d’eux si le service tient un abonnement.',
  'Get the state of the translation service': 'Obtenir l’état du service de traduction',
  'Tells whether the translation service is activated, and how many translators, managers and open jobs it has.':
    'Indique si le service de traduction est activé et combien de traducteurs, de gestionnaires et de tâches ouvertes il compte.',
  'Get the address of the service console': 'Obtenir l’adresse de la console du service',
  'Returns the address at which a manager administers the translation service, or # if there is none.':
    'Renvoie l’adresse à laquelle un gestionnaire administre le service de traduction, ou # s’il n’y en a pas.',
  'List the machine translation engines': 'Lister les moteurs de traduction automatique',
  'Returns the engines that can translate automatically, in order of preference, with the languages of each and whether it is enabled.':
    'Renvoie les moteurs capables de traduire automatiquement, par ordre de préférence, avec les langues et l’activation de chacun.',
  'Choose the machine translation engines': 'Choisir les moteurs de traduction automatique',
  'Saves which engines are enabled and in which order they are tried.':
    'Enregistre quels moteurs sont activés et dans quel ordre ils sont essayés.',
  'Create translation jobs': 'Créer des tâches de traduction',
  'Creates a job for each given post and target language, or sends a known job again, and returns the IDs that the translation service gave them.':
    'Crée une tâche pour chaque article et langue cible donnés, ou transmet de nouveau une tâche connue, et renvoie les identifiants attribués par le service de traduction.',
  'Get a job of the translation service': 'Obtenir une tâche du service de traduction',
  'Returns the status and languages of the job with this ID of the translation service, and the address of its translated file once there is one.':
    'Renvoie l’état et les langues de la tâche qui porte cet identifiant du service de traduction, et l’adresse de son fichier traduit dès qu’il existe.',
  'List the translation jobs': 'Lister les tâches de traduction',
  'Returns the jobs that the caller may see, filtered by language, status, title, translator or date, and sorted by the given columns.':
    'Renvoie les tâches que l’appelant peut voir, filtrées par langue, état, titre, traducteur ou date, et triées selon les colonnes données.',
  'Assign a job to a translator': 'Attribuer une tâche à un traducteur',
  'Gives a job to a translator of its languages or takes it back; translators can take a free job themselves.':
    'Confie une tâche à un traducteur de ses langues ou la lui retire ; un traducteur peut prendre lui-même une tâche libre.',
  'Cancel translation jobs': 'Annuler des tâches de traduction',
  'Cancels the given jobs, except those that are already complete, and returns the jobs that were cancelled.':
    'Annule les tâches données, sauf celles déjà terminées, et renvoie les tâches qui ont été annulées.',
  'Download a finished translation': 'Télécharger une traduction terminée',
  'Returns the translation of a finished job, as an XLIFF file or as a JSON list of sources and targets.':
    'Renvoie la traduction d’une tâche terminée, dans un fichier XLIFF ou dans une liste JSON de sources et de cibles.',
  'Apply finished translations': 'Appliquer les traductions terminées',
  'Writes the finished translations of the given jobs, of one original or of all jobs into translated posts, and reports those that failed.':
    'Écrit dans les articles traduits les traductions terminées des tâches données, d’un original ou de toutes les tâches, et signale celles qui ont échoué.',
  'Refresh batches of jobs': 'Actualiser des lots de tâches',
  'Queues the given batches, so that their delivered translations become ready to be applied.':
    'Met les lots donnés en file d’attente, afin que leurs traductions livrées deviennent prêtes à être appliquées.',
  'List the batches that are still being refreshed': 'Lister les lots en cours d’actualisation',
  'Returns the IDs of the batches whose refresh has not finished, or an empty list if all have.':
    'Renvoie les identifiants des lots dont l’actualisation n’est pas terminée, ou une liste vide si toutes le sont.',
  'Synchronise the status of open jobs': 'Synchroniser l’état des tâches ouvertes',
  'Asks the translation service page by page for the status of the open jobs, under a lock that only one caller at a time can hold.':
    'Demande page par page au service de traduction l’état des tâches ouvertes, sous un verrou qu’un seul appelant à la fois peut détenir.',
  'Fetch and apply delivered translations': 'Récupérer et appliquer les traductions livrées',
  'Fetches the translated files of the given jobs, applies them to the translated posts, and returns the jobs for which that succeeded.':
    'Récupère les fichiers traduits des tâches données, les applique aux articles traduits et renvoie les tâches pour lesquelles cela a réussi.',
  'Send failed jobs again': 'Transmettre de nouveau les tâches en échec',
  'Sends up to ten jobs again that the translation service did not accept, and returns those that are left.':
    'Transmet de nouveau jusqu’à dix tâches que le service de traduction n’a pas acceptées et renvoie celles qui restent.',
  'Receive a translation that is ready': 'Recevoir une traduction prête',
  'Fetches the translation of a job and applies it to the translated post, when the translation service calls with the token of the job.':
    'Récupère la traduction d’une tâche et l’applique à l’article traduit, quand le service de traduction appelle avec le jeton de la tâche.',
  'Apply the translation of a stuck job again': 'Appliquer de nouveau la traduction d’une tâche bloquée',
  'Fetches and applies the translation of a job that was delivered but not completed, and gives the reason if that fails again.':
    'Récupère et applique la traduction d’une tâche livrée mais pas terminée, et donne la raison si cela échoue encore.',

  // ml/ate/v1
  'Forward a request to the translation service': 'Transmettre une requête au service de traduction',
  'Passes a request of the browser on to the connected translation service with the credentials of the site, and returns its response.':
    'Transmet une requête du navigateur au service de traduction connecté avec les identifiants du site et renvoie sa réponse.',

  // ml/st/v1
  'Import strings from translation files': 'Importer les chaînes des fichiers de traduction',
  'Reads a batch of .mo files of the named plugins, themes and other components, stores their strings and tells how many files remain.':
    'Lit un lot de fichiers .mo des extensions, thèmes et autres composants nommés, enregistre leurs chaînes et indique combien de fichiers il reste.',
  'Generate translation files': 'Générer les fichiers de traduction',
  'Writes the translated strings into one .mo file for each domain and language, a batch at a time, and tells how many files remain.':
    'Écrit par lots les chaînes traduites dans un fichier .mo par domaine et par langue, et indique combien de fichiers il reste.',
  'Save a setting of string translation': 'Enregistrer un réglage de la traduction des chaînes',
  'Stores a JSON value under the given group and name.':
    'Enregistre une valeur JSON sous le groupe et le nom donnés.',

  // builder
  'Show the photo stream of the site': 'Afficher le flux de photos du site',
  'Returns the newest pictures and albums of the published posts, or of the connected photo service, page by page.':
    'Renvoie page par page les images et les albums les plus récents des articles publiés ou du service de photos connecté.',
  'Show the pictures of an album': 'Afficher les images d’un album',
  'Returns each picture of one album of the photo stream.':
    'Renvoie chaque image d’un album du flux de photos.',
  'Render builder content as HTML': 'Convertir le contenu du constructeur en HTML',
  'Turns shortcodes and blocks into the HTML that readers would see, so that it can be analysed, and lists its headings and number of words on request.':
    'Transforme les codes courts et les blocs en HTML tel que les lecteurs le verraient, afin qu’il puisse être analysé, et fournit sur demande ses titres et son nombre de mots.',

  // pkg/installer/v1
  'Refresh the subscription of the site': 'Actualiser l’abonnement du site',
  'Reads the subscription of the site again when its vendor calls, at most once every two hours.':
    'Relit l’abonnement du site quand son fournisseur appelle, au plus une fois toutes les deux heures.',

  // cms/v2
  'List posts': 'Lister les articles',
  'Returns a page of the posts that the caller may read, filtered by words, dates, authors, terms, status and language.':
    'Renvoie une page des articles que l’appelant peut lire, filtrés par mots, dates, auteurs, termes, état et langue.',
  'Create a post': 'Créer un article',
  'Creates a post in one of the languages, as a draft unless another status is given, and returns it.':
    'Crée un article dans l’une des langues, comme brouillon sauf si un autre état est donné, et le renvoie.',
  'Get a post': 'Lire un article',
  'Returns a post with the fields of the context; the content of a protected post needs its password.':
    'Renvoie un article avec les champs du contexte ; le contenu d’un article protégé nécessite son mot de passe.',
  'Change a post': 'Modifier un article',
  'Changes the fields that are sent, leaves all others as they are, and records a revision.':
    'Modifie les champs envoyés, laisse tous les autres tels quels et enregistre une révision.',
  'Delete a post': 'Supprimer un article',
  'Moves a post to the trash, or deletes it permanently with all its revisions.':
    'Met un article à la corbeille, ou le supprime définitivement avec toutes ses révisions.',
  'List the revisions of a post': 'Lister les révisions d’un article',
  'Returns a page of the versions of a post, by default with the newest first.':
    'Renvoie une page des versions d’un article, par défaut la plus récente en premier.',
  'Get a revision of a post': 'Lire une révision d’un article',
  'Returns one version of a post as it was saved.':
    'Renvoie une version d’un article telle qu’elle a été enregistrée.',
  'Delete a revision of a post': 'Supprimer une révision d’un article',
  'Deletes one version of a post permanently, because revisions cannot be moved to the trash.':
    'Supprime définitivement une version d’un article, car les révisions ne peuvent pas être mises à la corbeille.',
  'List the autosaves of a post': 'Lister les sauvegardes automatiques d’un article',
  'Returns the latest unpublished changes to a post, one for each user.':
    'Renvoie les dernières modifications non publiées d’un article, une par utilisateur.',
  'Autosave a post': 'Sauvegarder automatiquement un article',
  'Keeps changes to a post without publishing them, or saves them in the post itself if it is a draft of the caller.':
    'Conserve des modifications d’un article sans les publier, ou les enregistre dans l’article même s’il s’agit d’un brouillon de l’appelant.',
};
