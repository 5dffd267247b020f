/* Folders of the user who runs dejank: those of the XDG Base Directory Specification. */
#ifndef DEJANK_DEVICE_USER_FOLDER_H
#define DEJANK_DEVICE_USER_FOLDER_H

#include "base/error.h"
#include "base/text.h"

/*
 * Appends the folder that the environment variable `variable` names; else `below_home` in
 * $HOME; else in the home folder of the password database. Only absolute paths count. The
 * folder may not exist. DJ_E_USAGE: no home folder is known. DJ_E_NO_MEMORY.
 */
int dj_user_folder(const char *variable, const char *below_home, struct dj_text *path,
                   struct dj_error *err);

#endif
