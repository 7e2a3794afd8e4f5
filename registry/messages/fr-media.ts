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
