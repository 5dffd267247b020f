/* Folders of the user, as defined by the XDG Base Directory Specification. */
#ifndef DEJANK_OUTPUT_USER_FOLDER_H
#define DEJANK_OUTPUT_USER_FOLDER_H

#include "base/error.h"
#include "base/text.h"

/* Appends the path of a folder: the value of the environment variable `variable`, or else
 * `below_home` in $HOME, or else `below_home` in the home folder of the password
 * database. Ignores relative paths. The folder need not exist. Returns 0, DJ_E_USAGE if
 * no home folder is known, or DJ_E_NO_MEMORY. */
int dj_output_user_folder_append(const char *variable, const char *below_home,
                                 struct dj_text *path, struct dj_error *err);

#endif
