#include "trace/page.h"

#include <string.h>

struct dj_str dj_line_without_indent(struct dj_str line)
{
    while (line.length > 0 && (*line.at == ' ' || *line.at == '\t')) {
        line.at++;
        line.length--;
    }
    return line;
}

struct dj_str dj_line_without_mark(struct dj_str line)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = dj_str_begins(line, mark) ? sizeof(mark) - 1 : 0;
    return (struct dj_str){line.at + length, line.length - length};
}

bool dj_line_is_foreign(struct dj_str line)
{
    return dj_str_begins(line, "USER ") || dj_str_begins(line, "PROCESS DUMP") ||
           dj_str_begins(line, "CGROUP DUMP") || dj_str_begins(line, "{") ||
           dj_str_begins(line, "[");
}

bool dj_line_begins_viewer(struct dj_str line)
{
    return dj_str_begins(line, "<script id=\"viewer-data\"") &&
           line.at[line.length - 1] == '>';
}

bool dj_line_cut_closing(struct dj_str *line)
{
    const char *closing = memmem(line->at, line->length, "</script>", 9);
    const char *end = closing != NULL ? closing : line->at + line->length;
    while (closing != NULL && end > line->at && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    line->length = (size_t)(end - line->at);
    return closing != NULL;
}
