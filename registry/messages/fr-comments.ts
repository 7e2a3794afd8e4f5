/** French texts of comments, by their English text. */
export const frenchComments: Readonly<Record<string, string>> = {
  'ID of the comment.': 'Identifiant du commentaire.',
  'Whether to delete the comment permanently instead of moving it to the trash.':
    'Indique s’il faut supprimer définitivement le commentaire au lieu de le mettre à la corbeille.',
  'Password of the post, if it is protected.': 'Mot de passe de la publication, si elle est protégée.',
  'Only comments published after this date.': 'Seulement les commentaires publiés après cette date.',
  'Only comments published before this date.': 'Seulement les commentaires publiés avant cette date.',
  'Only comments by these users. For moderators.':
    'Seulement les commentaires de ces utilisateurs. Pour les modérateurs.',
  'Excludes comments by these users. For moderators.':
    'Exclut les commentaires de ces utilisateurs. Pour les modérateurs.',
  'Only comments with this e-mail address. For moderators.':
    'Seulement les commentaires ayant cette adresse e-mail. Pour les modérateurs.',
  'Attribute by which the comments are sorted.': 'Attribut selon lequel les commentaires sont triés.',
  'Only replies to these comments; 0 for comments without a parent.':
    'Seulement les réponses à ces commentaires ; 0 pour les commentaires qui n’en sont pas.',
  'Excludes replies to these comments.': 'Exclut les réponses à ces commentaires.',
  'Only comments on these posts.': 'Seulement les commentaires sur ces publications.',
  'Only comments with this status. Others than approve are for moderators.':
    'Seulement les commentaires ayant cet état. Les états autres qu’approve sont réservés aux modérateurs.',
  'Only comments of this type. Others than comment are for moderators.':
    'Seulement les commentaires de ce type. Les types autres que comment sont réservés aux modérateurs.',
  'ID of the user who wrote the comment; 0 for a visitor.':
    'Identifiant de l’utilisateur qui a écrit le commentaire ; 0 pour un visiteur.',
  'E-mail address of the author.': 'Adresse e-mail de l’auteur.',
  'IP address of the author.': 'Adresse IP de l’auteur.',
  'Name of the author.': 'Nom de l’auteur.',
  'URL of the author.': 'URL de l’auteur.',
  'User agent of the author.': 'Agent utilisateur de l’auteur.',
  'Text of the comment.': 'Texte du commentaire.',
  'Text as it was written.': 'Texte tel qu’il a été écrit.',
  'Text as HTML, ready for display.': 'Texte en HTML, prêt à être affiché.',
  'When the comment was published, in the time zone of the site.':
    'Date de publication du commentaire, dans le fuseau horaire du site.',
  'When the comment was published, in GMT.': 'Date de publication du commentaire, en GMT.',
  'ID of the comment that this one replies to.': 'Identifiant du commentaire auquel celui-ci répond.',
  'ID of the post.': 'Identifiant de la publication.',
  'Status of the comment.': 'État du commentaire.',
  'URL of an avatar; false for a comment without one.':
    'URL d’un avatar ; false pour un commentaire qui n’en a pas.',
  'URLs of avatars of the author, by size in pixels.': 'URL des avatars de l’auteur, par taille en pixels.',
  'URL of the comment.': 'URL du commentaire.',
  'Type of the comment.': 'Type du commentaire.',
  'List comments': 'Lister les commentaires',
  'Returns a page of the approved comments on posts that the caller may read; moderators also find held comments, spam and the trash.':
    'Renvoie une page des commentaires approuvés sur les publications que l’appelant peut lire ; les modérateurs trouvent aussi les commentaires en attente, les indésirables et la corbeille.',
  'Write a comment': 'Écrire un commentaire',
  'Adds a comment to a post; it is held until a moderator approves it, unless its author was approved before.':
    'Ajoute un commentaire à une publication ; il attend l’approbation d’un modérateur, sauf si son auteur a déjà été approuvé.',
  'Get a comment': 'Obtenir un commentaire',
  'Returns a comment with the fields of the context; a comment that is not approved is for its author and moderators.':
    'Renvoie un commentaire avec les champs du contexte ; un commentaire non approuvé est réservé à son auteur et aux modérateurs.',
  'Change or moderate a comment': 'Modifier ou modérer un commentaire',
  'Changes the fields of a comment that are sent, or approves it, holds it, or marks it as spam.':
    'Modifie les champs envoyés d’un commentaire, ou l’approuve, le met en attente ou le marque comme indésirable.',
  'Delete a comment': 'Supprimer un commentaire',
  'Moves a comment to the trash, or deletes it permanently and hands its replies to its parent.':
    'Met un commentaire à la corbeille, ou le supprime définitivement et rattache ses réponses à son parent.',
};
