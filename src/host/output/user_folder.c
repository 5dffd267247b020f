#include "output/user_folder.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

enum { ENTRY_FIRST = 1024, ENTRY_MOST = 1024 * 1024 };

static bool is_absolute(const char *path)
{
    return path != NULL && path[0] == '/';
}

/* Appends the user's home folder from the password database, or nothing if there is
 * none. */
static int append_password_home(struct dj_text *path)
{
    struct passwd user;
    struct passwd *found = NULL;
    int code = ERANGE;
    for (size_t size = ENTRY_FIRST; code == ERANGE && size <= ENTRY_MOST; size *= 4) {
        char *entry = malloc(size);
        if (entry == NULL) {
            return DJ_E_NO_MEMORY;
        }
        code = getpwuid_r(getuid(), &user, entry, size, &found);
        if (code == 0 && found != NULL && is_absolute(user.pw_dir)) {
            dj_text_add(path, user.pw_dir);
        }
        free(entry);
    }
    return 0;
}

int dj_output_user_folder_append(const char *variable, const char *below_home,
                                 struct dj_text *path, struct dj_error *err)
{
    const char *folder = getenv(variable);
    const char *home = getenv("HOME");
    size_t before = path->length;
    int code = 0;
    if (is_absolute(folder)) {
        dj_text_add(path, folder);
        return path->failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory") : 0;
    }
    if (is_absolute(home)) {
        dj_text_add(path, home);
    } else {
        code = append_password_home(path);
    }
    if (code == 0 && path->length == before && !path->failed) {
        return dj_error_set(err, DJ_E_USAGE,
                            "the home folder is unknown: HOME is not set, and the "
                            "password database has none for user %lu; set HOME",
                            (unsigned long)getuid());
    }
    dj_text_format(path, "/%s", below_home);
    return code != 0 || path->failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                                     : 0;
}
