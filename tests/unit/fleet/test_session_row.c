#include <criterion/criterion.h>

#include <string.h>

#include "made_sessions.h"

static struct dj_text bytes;

static void finish(void)
{
    dj_text_finish(&bytes);
}

TestSuite(session_row, .fini = finish);

Test(session_row, reads_what_it_writes)
{
    struct dj_session written, read;
    for (unsigned seed = 0; seed < 300; seed++) {
        made_session(&written, seed);
        dj_session_write_row(&bytes, &written);
    }
    struct dj_str rest = dj_text_str(&bytes);
    for (unsigned seed = 0; seed < 300; seed++) {
        struct dj_error err = {0};
        made_session(&written, seed);
        cr_assert_eq(dj_session_read_row(&rest, &read, &err), 0, "%s", err.message);
        cr_assert_eq(memcmp(&written, &read, sizeof(read)), 0, "seed %u", seed);
    }
    cr_expect_eq(rest.length, 0);
}

Test(session_row, keeps_unknown_numbers)
{
    struct dj_session written, read;
    dj_session_init(&written);
    dj_session_write_row(&bytes, &written);
    struct dj_str rest = dj_text_str(&bytes);
    cr_assert_eq(dj_session_read_row(&rest, &read, NULL), 0);
    cr_expect_eq(memcmp(&written, &read, sizeof(read)), 0);
}

Test(session_row, reports_each_truncation)
{
    struct dj_session session;
    made_session(&session, 3);
    dj_session_write_row(&bytes, &session);
    for (size_t length = 0; length < bytes.length; length++) {
        struct dj_str rest = {bytes.data, length};
        cr_expect_eq(dj_session_read_row(&rest, &session, NULL), DJ_E_TRUNCATED);
        cr_expect_eq(rest.length, length);
    }
}

Test(session_row, survives_any_damage)
{
    struct dj_session session;
    made_session(&session, 3);
    dj_session_write_row(&bytes, &session);
    size_t refused = 0;
    for (size_t at = 0; at < bytes.length; at++) {
        char before = bytes.data[at];
        bytes.data[at] = (char)0xff;
        struct dj_str rest = dj_text_str(&bytes);
        refused += dj_session_read_row(&rest, &session, NULL) != 0;
        bytes.data[at] = before;
    }
    cr_expect_gt(refused, 10);
}

Test(session_row, a_length_without_end_is_invalid)
{
    struct dj_session session;
    char row[64];
    memset(row, 0xff, sizeof(row));
    struct dj_str rest = {row, sizeof(row)};
    cr_expect_eq(dj_session_read_row(&rest, &session, NULL), DJ_E_INVALID);
    rest.length = DJ_SESSION_ID_BYTES + 8 + 9;
    cr_expect_eq(dj_session_read_row(&rest, &session, NULL), DJ_E_TRUNCATED);
}

Test(session_row, names_as_many_columns_as_the_format)
{
    size_t commas = 0;
    for (const char *at = dj_session_columns; *at != '\0'; at++) {
        commas += *at == ',';
    }
    cr_expect_eq(commas + 1, 3 + DJ_SESSION_TEXTS + 5 + DJ_SESSION_COUNTERS +
                                 2 * DJ_SESSION_HISTOGRAMS + 2);
}
