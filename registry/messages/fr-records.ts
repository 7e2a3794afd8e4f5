/** French texts of media, by their English text. */
export const frenchMedia: Readonly<Record<string, string>> = {
  'ID of the file.': 'Identifiant du fichier.',
  'Only files that are attached to these posts; 0 for files without a post.':
    'Seulement les fichiers joints à ces publications ; 0 pour les fichiers sans publication.',
  'Excludes files that are attached to these posts.': 'Exclut les fichiers joints à ces publications.',
  'Only files with one of these statuses.': 'Seulement les fichiers ayant l’un de ces états.',
  'Only files of these kinds.': 'Seulement les fichiers de ces genres.',
  'Only files of these media types.': 'Seulement les fichiers de ces types de média.',
  'Description of the file.': 'Description du fichier.',
  'Description as it was written.': 'Description telle qu’elle a été écrite.',
  'Description as HTML, ready for display, with a link to the file.':
    'Description en HTML, prête à être affichée, avec un lien vers le fichier.',
  'Caption of the file.': 'Légende du fichier.',
  'Caption as it was written.': 'Légende telle qu’elle a été écrite.',
  'Caption as HTML, ready for display.': 'Légende en HTML, prête à être affichée.',
  'Text that stands for a picture that is not shown.': 'Texte qui remplace une image qui n’est pas affichée.',
  'Kind of the file.': 'Genre du fichier.',
  'Media type of the file.': 'Type de média du fichier.',
  'Width, height and size of the file, and its smaller copies.':
    'Largeur, hauteur et taille du fichier, et ses copies réduites.',
  'ID of the post that the file is attached to; null for none.':
    'Identifiant de la publication à laquelle le fichier est joint ; null s’il n’y en a pas.',
  'URL of the file itself.': 'URL du fichier lui-même.',
  'Names of the smaller copies that are still to be made.': 'Noms des copies réduites qui restent à créer.',
  'Name of the file without its folders.': 'Nom du fichier sans ses dossiers.',
  'Size of the file in bytes; null if it is not known.':
    'Taille du fichier en octets ; null si elle n’est pas connue.',
  'List media': 'Lister les médias',
  'Returns a page of the files that the caller may see, filtered by kind, words, dates, authors and the post that they are attached to.':
    'Renvoie une page des fichiers que l’appelant peut voir, filtrée par genre, mots, dates, auteurs et publication à laquelle ils sont joints.',
  'Get a file': 'Obtenir un fichier',
  'Returns one file of the media library with its address, size and smaller copies; it is as visible as its post.':
    'Renvoie un fichier de la médiathèque avec son adresse, sa taille et ses copies réduites ; il est aussi visible que sa publication.',
  'Upload a file': 'Envoyer un fichier',
  'Adds a file to the media library: the body itself, named by Content-Disposition, or the part "file" of a form. Smaller copies of a picture are made if the site can.':
    'Ajoute un fichier à la médiathèque : le corps lui-même, nommé par Content-Disposition, ou la partie « file » d’un formulaire. Les copies réduites d’une image sont créées si le site le peut.',
  'Description as HTML, ready for display.': 'Description en HTML, prête à être affichée.',
  'ID of the post that the file is attached to; 0 for none.':
    'Identifiant de la publication à laquelle le fichier est joint ; 0 s’il n’y en a pas.',
  'Whether to make smaller copies of a picture.': 'Faut-il créer les copies réduites d’une image ?',
  'Change a file': 'Modifier un fichier',
  'Changes the texts of a file, its author, or the post that it is attached to. The file itself stays.':
    'Modifie les textes d’un fichier, son auteur ou la publication à laquelle il est joint. Le fichier lui-même reste.',
  'Delete a file': 'Supprimer un fichier',
  'Deletes a file with its smaller copies; posts that featured it have no featured image afterwards.':
    'Supprime un fichier et ses copies réduites ; les publications qui le mettaient en avant n’ont ensuite plus d’image.',
  'Must be true: files cannot be moved to the trash.':
    'Doit être vrai : les fichiers ne peuvent pas être mis à la corbeille.',
  'Make smaller copies of a picture': 'Créer les copies réduites d’une image',
  'Makes the smaller copies of a picture that are missing.':
    'Crée les copies réduites d’une image qui manquent.',
  'What is done: the missing smaller copies are made.':
    'Ce qui est fait : les copies réduites qui manquent sont créées.',
  'Edit a picture': 'Retoucher une image',
  'Crops, rotates or flips a picture, and adds the result to the media library as a new file.':
    'Recadre, tourne ou retourne une image, et ajoute le résultat à la médiathèque comme nouveau fichier.',
  'URL of the picture. It must be one of this file.': 'URL de l’image. Elle doit être une de ce fichier.',
  'Changes of the picture, in order.': 'Modifications de l’image, dans l’ordre.',
  'One change.': 'Une modification.',
  'Kind of the change.': 'Genre de la modification.',
  'How it is flipped.': 'Comment elle est retournée.',
  'Directions.': 'Directions.',
  'Whether left and right change places.': 'Gauche et droite sont-elles échangées ?',
  'Whether top and bottom change places.': 'Haut et bas sont-ils échangés ?',
  'How it is rotated.': 'Comment elle est tournée.',
  'Degrees, clockwise.': 'Degrés, dans le sens des aiguilles d’une montre.',
  'What remains, in percent of the picture.': 'Ce qui reste, en pourcentage de l’image.',
  'Distance from the left.': 'Distance depuis la gauche.',
  'Distance from the top.': 'Distance depuis le haut.',
  'Width.': 'Largeur.',
  'Height.': 'Hauteur.',
  'Degrees, clockwise. Deprecated: use modifiers.':
    'Degrés, dans le sens des aiguilles d’une montre. Déprécié : utilisez modifiers.',
  'Left side of the crop in percent. Deprecated: use modifiers.':
    'Bord gauche du recadrage en pourcentage. Déprécié : utilisez modifiers.',
  'Top of the crop in percent. Deprecated: use modifiers.':
    'Bord supérieur du recadrage en pourcentage. Déprécié : utilisez modifiers.',
  'Width of the crop in percent. Deprecated: use modifiers.':
    'Largeur du recadrage en pourcentage. Déprécié : utilisez modifiers.',
  'Height of the crop in percent. Deprecated: use modifiers.':
    'Hauteur du recadrage en pourcentage. Déprécié : utilisez modifiers.',
  'ID of the post that the file is attached to.':
    'Identifiant de la publication à laquelle le fichier est joint.',
  'EXIF orientation of a picture, 1 to 8. Width and height are those of the upright picture.':
    'Orientation EXIF d’une image, de 1 à 8. Largeur et hauteur sont celles de l’image redressée.',
  'Media type to which a picture is converted; null for none.':
    'Type de média vers lequel une image est convertie ; null si elle ne l’est pas.',
  'Whether smaller copies of a picture are progressive.':
    'Les copies réduites d’une image sont-elles progressives ?',
  'Quality of the smaller copies of a picture.': 'Qualité des copies réduites d’une image.',
  'Quality.': 'Qualité.',
  'Quality of single copies, where it differs.': 'Qualité de certaines copies, là où elle diffère.',
};

/** French texts of users and application passwords, by their English text. */
export const frenchUsers: Readonly<Record<string, string>> = {
  'ID of the user.': 'Identifiant de l’utilisateur.',
  'Attribute by which the users are sorted.': 'Attribut selon lequel les utilisateurs sont triés.',
  'Only users with one of these slugs.': 'Uniquement les utilisateurs ayant l’un de ces slugs.',
  'Only users with one of these roles.': 'Uniquement les utilisateurs ayant l’un de ces rôles.',
  'Only users with one of these capabilities.': 'Uniquement les utilisateurs ayant l’une de ces capacités.',
  'Only users who can write posts.': 'Uniquement les utilisateurs qui peuvent écrire des articles.',
  'Only users who have published something: true for all types, or a list of types.':
    'Uniquement les utilisateurs qui ont publié quelque chose : true pour tous les types, ou une liste de types.',
  'Attributes to search in.': 'Attributs dans lesquels chercher.',
  'Login name of the user.': 'Identifiant de connexion de l’utilisateur.',
  'Name of the user, as it is shown.': 'Nom de l’utilisateur, tel qu’il est affiché.',
  'First name of the user.': 'Prénom de l’utilisateur.',
  'Last name of the user.': 'Nom de famille de l’utilisateur.',
  'E-mail address of the user.': 'Adresse e-mail de l’utilisateur.',
  'URL of the user.': 'URL de l’utilisateur.',
  'Description of the user.': 'Description de l’utilisateur.',
  'Locale of the user; empty for that of the site.':
    'Paramètres régionaux de l’utilisateur ; vide pour ceux du site.',
  'Nickname of the user.': 'Pseudonyme de l’utilisateur.',
  'Slug of the user, unique among users.': 'Slug de l’utilisateur, unique parmi les utilisateurs.',
  'Roles of the user.': 'Rôles de l’utilisateur.',
  'Password of the user. It is never shown.': 'Mot de passe de l’utilisateur. Il n’est jamais affiché.',
  'Meta fields of the user.': 'Champs meta de l’utilisateur.',
  'Must be true: users cannot be moved to the trash.':
    'Doit être true : les utilisateurs ne peuvent pas être mis à la corbeille.',
  'ID of the user who gets the posts of the removed one; empty or false for none.':
    'Identifiant de l’utilisateur qui reçoit les articles de celui qui est supprimé ; vide ou false pour aucun.',
  'UUID by which the application identifies itself.': 'UUID par lequel l’application s’identifie.',
  'Name of the application password.': 'Nom du mot de passe d’application.',
  'URL of the page of the author.': 'URL de la page de l’auteur.',
  'When the user was registered.': 'Date d’inscription de l’utilisateur.',
  'All capabilities of the user.': 'Toutes les capacités de l’utilisateur.',
  'Roles of the user, and capabilities beside them.':
    'Rôles de l’utilisateur, et capacités qui s’y ajoutent.',
  'URLs of the avatar of the user, by size.': 'URL de l’avatar de l’utilisateur, par taille.',
  'URL of the avatar with 24 pixels.': 'URL de l’avatar de 24 pixels.',
  'URL of the avatar with 48 pixels.': 'URL de l’avatar de 48 pixels.',
  'URL of the avatar with 96 pixels.': 'URL de l’avatar de 96 pixels.',
  'UUID of the application password.': 'UUID du mot de passe d’application.',
  'The generated password. It is shown once, in the response to its creation.':
    'Le mot de passe généré. Il est montré une seule fois, dans la réponse à sa création.',
  'When the application password was created, in GMT.':
    'Date de création du mot de passe d’application, en GMT.',
  'When the application password was last used, in GMT.':
    'Date de la dernière utilisation du mot de passe d’application, en GMT.',
  'Address from which the application password was last used.':
    'Adresse depuis laquelle le mot de passe d’application a été utilisé en dernier.',

  'List users': 'Lister les utilisateurs',
  'Returns a page of the users whom the caller may see: without the right to list users, those who have published something.':
    'Renvoie une page des utilisateurs que l’appelant peut voir : sans le droit de lister les utilisateurs, ceux qui ont publié quelque chose.',
  'Create a user': 'Créer un utilisateur',
  'Creates a user with a login, an e-mail address, a password and roles.':
    'Crée un utilisateur avec un identifiant de connexion, une adresse e-mail, un mot de passe et des rôles.',
  'Read a user': 'Lire un utilisateur',
  'Returns a user who has published something, or any user for callers who may see all of them.':
    'Renvoie un utilisateur qui a publié quelque chose, ou n’importe lequel pour les appelants qui peuvent tous les voir.',
  'Change a user': 'Modifier un utilisateur',
  'Changes fields of a user, and the roles for callers who may give them.':
    'Modifie les champs d’un utilisateur, et ses rôles pour les appelants qui peuvent en donner.',
  'Remove a user': 'Supprimer un utilisateur',
  'Removes a user for good, and gives what the user wrote to another one or discards it.':
    'Supprime définitivement un utilisateur, et donne ce qu’il a écrit à un autre ou l’écarte.',
  'Read the caller': 'Lire l’appelant',
  'Returns the user who sends the request.': 'Renvoie l’utilisateur qui envoie la requête.',
  'Change the caller': 'Modifier l’appelant',
  'Changes fields of the user who sends the request.':
    'Modifie les champs de l’utilisateur qui envoie la requête.',
  'Remove the caller': 'Supprimer l’appelant',
  'Removes the user who sends the request, for callers who may remove users.':
    'Supprime l’utilisateur qui envoie la requête, pour les appelants qui peuvent supprimer des utilisateurs.',
  'List the application passwords of a user': 'Lister les mots de passe d’application d’un utilisateur',
  'Returns the names and dates of the passwords with which programs log in as the user, never the passwords themselves.':
    'Renvoie les noms et les dates des mots de passe avec lesquels des programmes se connectent comme l’utilisateur, jamais les mots de passe eux-mêmes.',
  'Create an application password': 'Créer un mot de passe d’application',
  'Creates a password for one program and shows it once.':
    'Crée un mot de passe pour un programme et le montre une seule fois.',
  'Remove all application passwords of a user':
    'Supprimer tous les mots de passe d’application d’un utilisateur',
  'Removes every application password of the user, so that no program can log in with them any more.':
    'Supprime tous les mots de passe d’application de l’utilisateur, de sorte qu’aucun programme ne puisse plus se connecter avec eux.',
  'Read the application password that the caller logged in with':
    'Lire le mot de passe d’application de l’appelant',
  'Returns the name and dates of the application password of this request.':
    'Renvoie le nom et les dates du mot de passe d’application de cette requête.',
  'Read an application password': 'Lire un mot de passe d’application',
  'Returns the name and dates of one application password.':
    'Renvoie le nom et les dates d’un mot de passe d’application.',
  'Change an application password': 'Modifier un mot de passe d’application',
  'Changes the name of one application password.': 'Modifie le nom d’un mot de passe d’application.',
  'Remove an application password': 'Supprimer un mot de passe d’application',
  'Removes one application password, so that its program can no longer log in.':
    'Supprime un mot de passe d’application, de sorte que son programme ne puisse plus se connecter.',
};

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

/** French texts of categories, tags and other terms, by their English text. */
export const frenchTerms: Readonly<Record<string, string>> = {
  'ID of the term.': 'Identifiant du terme.',
  'Must be true: terms cannot be moved to the trash.':
    'Doit être true : les termes ne peuvent pas être mis à la corbeille.',
  'Attribute by which the terms are sorted.': 'Attribut selon lequel les termes sont triés.',
  'Whether to leave out terms that no published post has.':
    'Indique s’il faut omettre les termes qu’aucune publication publiée ne porte.',
  'Only terms directly below this one; 0 for the top level.':
    'Seulement les termes directement sous celui-ci ; 0 pour le niveau supérieur.',
  'Only terms of this post.': 'Seulement les termes de cette publication.',
  'Only terms with one of these slugs.': 'Seulement les termes ayant l’un de ces slugs.',
  'Description of the term as HTML.': 'Description du terme en HTML.',
  'Name of the term as HTML.': 'Nom du terme en HTML.',
  'Slug of the term, unique among terms of its taxonomy and language.':
    'Slug du terme, unique parmi les termes de sa taxonomie et de sa langue.',
  'ID of the parent term; 0 for the top level.': 'Identifiant du terme parent ; 0 pour le niveau supérieur.',
  'Number of published posts with the term.': 'Nombre de publications publiées portant ce terme.',
  'URL of the term.': 'URL du terme.',
  'Taxonomy of the term.': 'Taxonomie du terme.',
  'Registered meta fields.': 'Métadonnées déclarées.',
  'Language of the term; empty for a term that all languages share.':
    'Langue du terme ; vide pour un terme commun à toutes les langues.',

  'List categories': 'Lister les catégories',
  'Returns a page of the categories of a language with the number of published posts of each, filtered by name, slug or post.':
    'Renvoie une page des catégories d’une langue avec le nombre de publications publiées de chacune, filtrée par nom, slug ou publication.',
  'Create a category': 'Créer une catégorie',
  'Creates a category with a slug that is unique in its language and returns it.':
    'Crée une catégorie avec un slug unique dans sa langue et la renvoie.',
  'Get a category': 'Obtenir une catégorie',
  'Returns one category with its address and the number of published posts that have it.':
    'Renvoie une catégorie avec son adresse et le nombre de publications publiées qui la portent.',
  'Change a category': 'Modifier une catégorie',
  'Changes the fields of a category that are sent and leaves all others as they are.':
    'Modifie les champs envoyés d’une catégorie et laisse tous les autres inchangés.',
  'Delete a category': 'Supprimer une catégorie',
  'Deletes a category permanently and takes it from all posts that have it.':
    'Supprime définitivement une catégorie et la retire de toutes les publications qui la portent.',
  'List tags': 'Lister les étiquettes',
  'Returns a page of the tags of a language with the number of published posts of each, filtered by name, slug or post.':
    'Renvoie une page des étiquettes d’une langue avec le nombre de publications publiées de chacune, filtrée par nom, slug ou publication.',
  'Create a tag': 'Créer une étiquette',
  'Creates a tag with a slug that is unique in its language and returns it.':
    'Crée une étiquette avec un slug unique dans sa langue et la renvoie.',
  'Get a tag': 'Obtenir une étiquette',
  'Returns one tag with its address and the number of published posts that have it.':
    'Renvoie une étiquette avec son adresse et le nombre de publications publiées qui la portent.',
  'Change a tag': 'Modifier une étiquette',
  'Changes the fields of a tag that are sent and leaves all others as they are.':
    'Modifie les champs envoyés d’une étiquette et laisse tous les autres inchangés.',
  'Delete a tag': 'Supprimer une étiquette',
  'Deletes a tag permanently and takes it from all posts that have it.':
    'Supprime définitivement une étiquette et la retire de toutes les publications qui la portent.',
};
