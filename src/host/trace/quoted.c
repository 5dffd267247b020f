#include "trace/quoted.h"

#include <string.h>

static bool cut_end(struct dj_str *line, const char *end)
{
    bool ends = dj_str_ends(*line, end);
    line->length -= ends ? strlen(end) : 0;
    return ends;
}

struct dj_str dj_unquoted(struct dj_str line, char *room, bool *ended)
{
    size_t length = 0;
    *ended = cut_end(&line, "\\n\";");
    if (!*ended) {
        cut_end(&line, "\\n\\");
    }
    if (line.length == 0 || memchr(line.at, '\\', line.length) == NULL) {
        return line;
    }
    for (size_t i = 0; i < line.length; i++) {
        bool escape = line.at[i] == '\\' && i + 1 < line.length &&
                      memchr("\"'\\/", line.at[i + 1], 4) != NULL;
        i += escape ? 1 : 0;
        room[length++] = line.at[i];
    }
    return (struct dj_str){room, length};
}
