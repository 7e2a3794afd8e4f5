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
