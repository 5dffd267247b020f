#include "measure/state_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output/user_folder.h"

/* Creates the folder `path` and all its parent folders. */
static int make_folders(char *path)
{
    for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        int result = mkdir(path, 0700);
        *end = '/';
        if (result != 0 && errno != EEXIST) {
            return -1;
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

int dj_measure_state_folder_path(const char *folder, const char *device,
                                 struct dj_text *path, struct dj_error *err)
{
    int code = dj_output_user_folder_append("XDG_STATE_HOME", ".local/state", path, err);
    if (code != 0) {
        dj_error_prepend(err, "no folder for settings and leases (set XDG_STATE_HOME)");
        return code;
    }
    dj_text_format(path, "/dejank/%s", folder);
    if (path->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    if (make_folders(path->data) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot create %s: %s", path->data,
                            strerror(errno));
    }
    if (device != NULL) {
        dj_text_add(path, "/");
        dj_measure_state_folder_append_name(path, device);
    }
    return path->failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory") : 0;
}

void dj_measure_state_folder_append_name(struct dj_text *path, const char *device)
{
    /* A name that begins with a dot would be hidden. */
    bool is_hidden = device[0] == '.';
    dj_text_add(path, is_hidden ? "%2E" : "");
    dj_text_append_percent(path, device + is_hidden, "_-.");
}
