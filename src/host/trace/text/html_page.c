#include "trace/text/html_page.h"

#include <string.h>

struct dj_str dj_line_skip_indent(struct dj_str line)
{
    while (line.length > 0 && (*line.at == ' ' || *line.at == '\t')) {
        line.at++;
        line.length--;
    }
    return line;
}

struct dj_str dj_line_skip_byte_order_mark(struct dj_str line)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = dj_str_begins(line, mark) ? sizeof(mark) - 1 : 0;
    return (struct dj_str){line.at + length, line.length - length};
}

bool dj_line_is_other_data(struct dj_str line)
{
    return dj_str_begins(line, "USER ") || dj_str_begins(line, "PROCESS DUMP") ||
           dj_str_begins(line, "CGROUP DUMP") || dj_str_begins(line, "{") ||
           dj_str_begins(line, "[");
}

bool dj_line_is_viewer_start(struct dj_str line)
{
    return dj_str_begins(line, "<script id=\"viewer-data\"") &&
           line.at[line.length - 1] == '>';
}

bool dj_line_remove_closing_tag(struct dj_str *line)
{
    const char *closing = memmem(line->at, line->length, "</script>", 9);
    const char *end = closing != NULL ? closing : line->at + line->length;
    while (closing != NULL && end > line->at && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    line->length = (size_t)(end - line->at);
    return closing != NULL;
}

static bool remove_end(struct dj_str *line, const char *end)
{
    bool ends = dj_str_ends(*line, end);
    line->length -= ends ? strlen(end) : 0;
    return ends;
}

struct dj_str dj_line_unescape(struct dj_str line, char *buffer, bool *ended)
{
    size_t length = 0;
    *ended = remove_end(&line, "\\n\";");
    if (!*ended) {
        remove_end(&line, "\\n\\");
    }
    if (line.length == 0 || memchr(line.at, '\\', line.length) == NULL) {
        return line;
    }
    for (size_t i = 0; i < line.length; i++) {
        bool escape = line.at[i] == '\\' && i + 1 < line.length &&
                      memchr("\"'\\/", line.at[i + 1], 4) != NULL;
        i += escape ? 1 : 0;
        buffer[length++] = line.at[i];
    }
    return (struct dj_str){buffer, length};
}
