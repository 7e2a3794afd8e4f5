/** French texts of types, statuses, taxonomies, settings and search, by their English text. */
export const frenchModel: Readonly<Record<string, string>> = {
  'Path segment of the routes.': 'Segment de chemin des routes.',
  'Namespace of the routes.': 'Espace de noms des routes.',
  'Name by which code and addresses refer to it.': 'Nom par lequel le code et les adresses le désignent.',
  'Name that people read.': 'Nom destiné aux personnes.',
  'Description that people read.': 'Description destinée aux personnes.',
  'Whether there can be parents.': 'Indique s’il peut y avoir des parents.',
  'Capabilities that its rights need.': 'Capacités que ses droits exigent.',
  'Names for single items and for several.': 'Noms pour un élément et pour plusieurs.',
  'Whether its items have pages on the site.': 'Indique si ses éléments ont des pages sur le site.',
  'What its items can have.': 'Ce que ses éléments peuvent avoir.',
  'Whether the site has a page that lists its items.':
    'Indique si le site a une page qui liste ses éléments.',
  'Taxonomies whose terms its items can have.': 'Taxonomies dont ses éléments peuvent porter les termes.',
  'Where tools show it.': 'Où les outils l’affichent.',
  'Whether tools show it.': 'Indique si les outils l’affichent.',
  'Whether it can be chosen for menus.': 'Indique s’il peut être choisi pour les menus.',
  'Icon of the type.': 'Icône du type.',
  'Blocks that a new item begins with.': 'Blocs par lesquels commence un nouvel élément.',
  'Which changes of these blocks are not allowed.': 'Modifications de ces blocs qui ne sont pas autorisées.',
  'Whether items of the status are private.': 'Indique si les éléments de l’état sont privés.',
  'Whether only editors see items of the status.':
    'Indique si seuls les rédacteurs voient les éléments de l’état.',
  'Whether everybody sees items of the status.': 'Indique si tout le monde voit les éléments de l’état.',
  'Whether everybody can ask for items of the status.':
    'Indique si tout le monde peut demander les éléments de l’état.',
  'Whether lists of all items include the status.':
    'Indique si les listes de tous les éléments comprennent l’état.',
  'Whether the date of an item can move until it is published.':
    'Indique si la date d’un élément peut changer jusqu’à sa publication.',
  'Whether its terms can be shown as a cloud.': 'Indique si ses termes peuvent être affichés en nuage.',
  'Types whose items can have its terms.': 'Types dont les éléments peuvent porter ses termes.',
  'Whether everybody sees it.': 'Indique si tout le monde le voit.',
  'Whether everybody can ask for its terms.': 'Indique si tout le monde peut demander ses termes.',
  'Whether lists of items show its terms.': 'Indique si les listes d’éléments affichent ses termes.',
  'Whether terms can be set in lists of items.':
    'Indique si les termes peuvent être définis dans les listes d’éléments.',
  'Name of the content type.': 'Nom du type de contenu.',
  'Name of the status.': 'Nom de l’état.',
  'Only taxonomies of this content type.': 'Uniquement les taxonomies de ce type de contenu.',
  'Name of the taxonomy.': 'Nom de la taxonomie.',
  'List content types': 'Lister les types de contenu',
  'Returns the content types of the site by name, so that a client knows their routes.':
    'Renvoie les types de contenu du site par nom, afin qu’un client connaisse leurs routes.',
  'Read a content type': 'Lire un type de contenu',
  'Returns the names, routes and taxonomies of one content type.':
    'Renvoie les noms, les routes et les taxonomies d’un type de contenu.',
  'List statuses': 'Lister les états',
  'Returns the statuses that the caller can ask for, by name.':
    'Renvoie par nom les états que l’appelant peut demander.',
  'Read a status': 'Lire un état',
  'Returns who sees the items of one status.': 'Indique qui voit les éléments d’un état.',
  'List taxonomies': 'Lister les taxonomies',
  'Returns the taxonomies of the site by name, so that a client knows their routes.':
    'Renvoie les taxonomies du site par nom, afin qu’un client connaisse leurs routes.',
  'Read a taxonomy': 'Lire une taxonomie',
  'Returns the names, routes and types of one taxonomy.':
    'Renvoie les noms, les routes et les types d’une taxonomie.',
  'Title of the site.': 'Titre du site.',
  'Address for messages to the administrators.': 'Adresse pour les messages aux administrateurs.',
  'Time zone of the site, such as Europe/Paris.': 'Fuseau horaire du site, par exemple Europe/Paris.',
  'Format of dates.': 'Format des dates.',
  'Format of times.': 'Format des heures.',
  'First day of the week; 0 is Sunday.': 'Premier jour de la semaine ; 0 est le dimanche.',
  'Locale of the site.': 'Paramètres régionaux du site.',
  'Whether smileys are shown as pictures.': 'Indique si les émoticônes sont affichées en images.',
  'ID of the category of posts without one.': 'Identifiant de la catégorie des articles qui n’en ont pas.',
  'Format of new posts.': 'Format des nouveaux articles.',
  'Number of posts on a page of the site.': 'Nombre d’articles par page du site.',
  'What the front page shows: posts or a page.':
    'Ce que montre la page d’accueil : des articles ou une page.',
  'ID of the page that is the front page.': 'Identifiant de la page qui sert de page d’accueil.',
  'ID of the page that shows the latest posts.': 'Identifiant de la page qui montre les derniers articles.',
  'Whether other sites can notify new posts of links to them.':
    'Indique si d’autres sites peuvent signaler aux nouveaux articles les liens vers eux.',
  'Whether readers can comment on new posts.':
    'Indique si les lecteurs peuvent commenter les nouveaux articles.',
  'ID of the media item with the logo of the site.': 'Identifiant du média qui contient le logo du site.',
  'ID of the media item with the icon of the site.': 'Identifiant du média qui contient l’icône du site.',
  'Address of the site. It is configured by the host and not changed here.':
    'Adresse du site. Elle est configurée par l’hôte et n’est pas modifiée ici.',
  'Read the settings': 'Lire les réglages',
  'Returns all settings of the site for callers who may manage them.':
    'Renvoie tous les réglages du site aux appelants qui peuvent les gérer.',
  'Change the settings': 'Modifier les réglages',
  'Changes the settings that the request names, all of them or none, and returns all settings.':
    'Modifie les réglages que la requête nomme, tous ou aucun, et renvoie tous les réglages.',
  'Only items of this kind.': 'Uniquement les éléments de cette sorte.',
  'Only items of these types or taxonomies.': 'Uniquement les éléments de ces types ou taxonomies.',
  'ID of the item; the slug of a format.': 'Identifiant de l’élément ; slug d’un format.',
  'Title of the item.': 'Titre de l’élément.',
  'URL of the item.': 'URL de l’élément.',
  'Kind of the item: post or post-format, or the taxonomy of a term.':
    'Sorte de l’élément : post ou post-format, ou la taxonomie d’un terme.',
  'Type of the item.': 'Type de l’élément.',
  'Search the content': 'Chercher dans les contenus',
  'Returns published items, terms or formats whose texts contain the words, with links to them.':
    'Renvoie les éléments publiés, les termes ou les formats dont les textes contiennent les mots, avec des liens vers eux.',
};
