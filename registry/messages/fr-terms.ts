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
