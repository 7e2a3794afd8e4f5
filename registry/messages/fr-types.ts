/** Texts of content types other than posts, and of what their lists and records have in addition. */
export const frenchTypes: Readonly<Record<string, string>> = {
  'Only posts with this position among their siblings.':
    'Seulement les articles à cette position parmi leurs voisins.',
  'Only posts below these parents; 0 for posts without a parent.':
    'Seulement les articles sous ces parents ; 0 pour les articles sans parent.',
  'Excludes posts below these parents.': 'Exclut les articles sous ces parents.',
  'ID of the parent of the post; 0 for none.': 'Identifiant du parent de l’article ; 0 pour aucun.',
  'Position of the post among its siblings.': 'Position de l’article parmi ses voisins.',
  'IDs of the terms of the post in this taxonomy.':
    'Identifiants des termes de l’article dans cette taxonomie.',
  'Only posts with these terms of the taxonomy.': 'Seulement les articles ayant ces termes de la taxonomie.',
  'Excludes posts with these terms of the taxonomy.': 'Exclut les articles ayant ces termes de la taxonomie.',
  'Only posts with one of these values of each meta field.':
    'Seulement les articles ayant l’une de ces valeurs pour chaque champ méta.',
  'ID of the autosave.': 'Identifiant de la sauvegarde automatique.',
  'Get an autosave of a post': 'Lire une sauvegarde automatique d’un article',
  'Returns the latest unpublished changes of one user to a post.':
    'Renvoie les dernières modifications non publiées d’un utilisateur sur un article.',
};
