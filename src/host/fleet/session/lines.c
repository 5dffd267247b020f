#include "fleet/lines.h"

#include <string.h>

#include "memory/memory.h"

static int read_line(struct dj_session_lines *lines, struct dj_str line)
{
    struct dj_session session;
    struct dj_error err = {0};
    struct dj_str text = dj_str_trim(line);
    lines->line++;
    if (text.length == 0) {
        return 0;
    }
    if (dj_session_read_json(text.at, text.length, &session, &err) != 0) {
        lines->refuse(lines->user, lines->line, err.message);
        return 0;
    }
    dj_session_set_class(&session);
    return lines->receive(lines->user, &session);
}

/* Keeps the beginning of a line, or skips the line if it becomes too long. */
static void keep_part(struct dj_session_lines *lines, struct dj_str part)
{
    if (lines->is_skipping) {
        return;
    }
    if (lines->part.length + part.length > DJ_SESSION_JSON_MOST) {
        lines->refuse(lines->user, lines->line + 1,
                      "the line is longer than 65536 bytes, the maximum of a session");
        lines->is_skipping = true;
        dj_text_clear(&lines->part);
        return;
    }
    dj_text_append(&lines->part, part.at, part.length);
    dj_xcheck(!lines->part.failed);
}

static int end_line(struct dj_session_lines *lines)
{
    int code = 0;
    if (lines->is_skipping) {
        lines->line++;
    } else {
        code = read_line(lines, dj_text_str(&lines->part));
    }
    lines->is_skipping = false;
    dj_text_clear(&lines->part);
    return code;
}

int dj_fleet_lines_read(struct dj_session_lines *lines, struct dj_str bytes)
{
    int code = 0;
    while (bytes.length > 0 && code == 0) {
        const char *end = memchr(bytes.at, '\n', bytes.length);
        size_t length = end != NULL ? (size_t)(end - bytes.at) : bytes.length;
        struct dj_str line = {bytes.at, length};
        if (end != NULL && lines->part.length == 0 && !lines->is_skipping &&
            length <= DJ_SESSION_JSON_MOST) {
            code = read_line(lines, line);
        } else {
            keep_part(lines, line);
            code = end != NULL ? end_line(lines) : 0;
        }
        bytes = dj_str_from(bytes, end != NULL ? length + 1 : length);
    }
    return code;
}

int dj_fleet_lines_end(struct dj_session_lines *lines)
{
    return lines->part.length > 0 || lines->is_skipping ? end_line(lines) : 0;
}

void dj_fleet_lines_finish(struct dj_session_lines *lines)
{
    dj_text_finish(&lines->part);
}
