#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/lines.h"
#include "made_sessions.h"

struct seen {
    size_t lines[16], refused[16];
    size_t line_count, refused_count;
    struct dj_session_lines reading;
    char reason[200];
    int result;
};

static int receive(void *user, const struct dj_session *session)
{
    struct seen *seen = user;
    cr_expect_str_eq(session->text[DJ_SESSION_APP], "com.example.mail");
    seen->lines[seen->line_count++] = seen->reading.line;
    return seen->result;
}

static void refuse(void *user, size_t line, const char *reason)
{
    struct seen *seen = user;
    seen->refused[seen->refused_count++] = line;
    snprintf(seen->reason, sizeof(seen->reason), "%s", reason);
}

/* Reads the text in pieces of `step` bytes, each in memory of its own. */
static int read_pieces(struct seen *seen, const struct dj_text *text, size_t step)
{
    *seen = (struct seen){.reading = {.receive = receive, .refuse = refuse, .user = seen},
                          .result = seen->result};
    int code = 0;
    for (size_t at = 0; at < text->length && code == 0; at += step) {
        size_t length = text->length - at < step ? text->length - at : step;
        char *piece = malloc(length);
        cr_assert(piece != NULL);
        memcpy(piece, text->data + at, length);
        code = dj_fleet_lines_read(&seen->reading, (struct dj_str){piece, length});
        free(piece);
    }
    code = code == 0 ? dj_fleet_lines_end(&seen->reading) : code;
    dj_fleet_lines_finish(&seen->reading);
    return code;
}

static void append_session(struct dj_text *text, unsigned seed)
{
    struct dj_session session;
    made_session(&session, seed);
    dj_session_write_json(text, &session);
}

Test(lines, are_read_in_pieces_of_any_size)
{
    struct dj_text text = {0};
    append_session(&text, 1);
    dj_text_add(&text, "\n  \r\n{broken\n");
    append_session(&text, 2);
    append_session(&text, 3);
    text.length--; /* The last line has no line feed. */
    for (size_t step = 1; step < text.length + 2; step += step < 40 ? 1 : 37) {
        struct seen seen = {0};
        cr_assert_eq(read_pieces(&seen, &text, step), 0);
        cr_assert_eq(seen.line_count, 3, "step %zu: %zu %s", step, seen.line_count,
                     seen.reason);
        cr_expect(seen.lines[0] == 1 && seen.lines[1] == 5 && seen.lines[2] == 6);
        cr_assert_eq(seen.refused_count, 1, "step %zu", step);
        cr_expect_eq(seen.refused[0], 4);
    }
    dj_text_finish(&text);
}

Test(lines, a_line_that_is_too_long_is_refused_once)
{
    struct dj_text text = {0};
    append_session(&text, 1);
    for (int i = 0; i < 3 * DJ_SESSION_JSON_MOST / 8; i++) {
        dj_text_add(&text, "xxxxxxxx");
    }
    dj_text_add(&text, "\n");
    append_session(&text, 2);
    for (size_t step = 1000; step < 300000; step += 50001) {
        struct seen seen = {0};
        cr_assert_eq(read_pieces(&seen, &text, step), 0);
        cr_assert_eq(seen.line_count, 2, "step %zu", step);
        cr_expect(seen.lines[0] == 1 && seen.lines[1] == 3);
        cr_assert_eq(seen.refused_count, 1, "step %zu", step);
        cr_expect_eq(seen.refused[0], 2);
        cr_expect(strstr(seen.reason, "65536") != NULL, "%s", seen.reason);
    }
    dj_text_finish(&text);
}

Test(lines, the_receiver_ends_the_reading)
{
    struct dj_text text = {0};
    append_session(&text, 1);
    append_session(&text, 2);
    struct seen seen = {.result = DJ_E_OUTPUT};
    cr_expect_eq(read_pieces(&seen, &text, text.length), DJ_E_OUTPUT);
    cr_expect_eq(seen.line_count, 1);
    dj_text_finish(&text);
}
