#include "cli/store_option.h"

#include <time.h>
#include <unistd.h>

#include "memory/memory.h"

int dj_store_open_reading(const char *path, struct dj_history **history,
                          struct dj_error *err)
{
    struct dj_text standard = {0};
    *history = NULL;
    if (path == NULL) {
        int code = dj_history_default_path(&standard, err);
        bool there = code == 0 && access(dj_xtext(&standard), F_OK) == 0;
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
