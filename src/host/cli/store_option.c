#include "cli/store_option.h"

#include <time.h>
#include <unistd.h>

#include "cli/output_file.h"

int dj_store_open_reading(const char *path, struct dj_history **history,
                          struct dj_error *err)
{
    struct dj_text standard = {0};
    *history = NULL;
    if (path == NULL) {
        int code = dj_history_default_path(&standard, err);
        bool there = code == 0 && access(dj_text_get(&standard), F_OK) == 0;
        dj_text_finish(&standard);
        if (!there) {
            return code;
        }
    }
    return dj_history_open(path, DJ_HISTORY_READ, history, err);
}

void dj_moment(int64_t unix_ms, char text[DJ_MOMENT])
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm local;
    text[0] = '\0';
    if (localtime_r(&seconds, &local) != NULL) {
        strftime(text, DJ_MOMENT, "%Y-%m-%d %H:%M", &local);
    }
}

int dj_store_end(const char *verb, int code, struct dj_text *text, struct dj_error *err)
{
    if (code == 0) {
        code = dj_output_print(text, err);
    }
    if (code != 0) {
        dj_complain(verb, "%s", err->message);
    }
    dj_text_finish(text);
    return (int)dj_exit_for(code);
}
