#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "triage/rows.h"

static const char head[] =
    "Applications Graphics Acceleration Info:\n\n"
    "** Graphics info for pid 77 [app] **\n\n"
    "---PROFILEDATA---\n"
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"
    "AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
    "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
    "QueueBufferDuration,\n";
static const char tail[] = "---PROFILEDATA---\n";

/* Writes a row that starts at `start` ms and takes 5 ms plus sync_us, which is the time
 * between SyncStart and IssueDrawCommandsStart. */
static void append_row(struct dj_text *text, int flags, int start, int sync_us)
{
    long long at = start * 1000000LL;
    long long late = sync_us * 1000LL;
    dj_text_format(text, "%d,%lld,%lld,9223372036854775807,0", flags, at, at);
    for (int i = 1; i <= 6; i++) {
        dj_text_format(text, ",%lld", at + i * 10000);
    }
    for (int i = 7; i <= 8; i++) {
        dj_text_format(text, ",%lld", at + i * 10000 + late);
    }
    dj_text_format(text, ",%lld,1000,1000,\n", at + 5000000 + late);
}

static int read_rows(struct dj_triage_rows *rows, const struct dj_text *text,
                     struct dj_error *err)
{
    return dj_triage_rows_read(rows, text->data, strlen(text->data), NULL, err);
}

Test(rows, have_times_and_findings)
{
    struct dj_text text = {0};
    struct dj_triage_rows rows = {0};
    dj_text_format(&text, "%s", head);
    append_row(&text, 0, 2000, 30000);
    /* The flag says that the window changed, so the row is not usable. */
    append_row(&text, 1, 2100, 50000);
    append_row(&text, 0, 1000, 0);
    dj_text_format(&text, "%s", tail);
    cr_assert_eq(read_rows(&rows, &text, NULL), 0);
    cr_assert_eq(rows.count, 2);
    cr_assert_eq(rows.all[0].start_ns, 1000000000);
    cr_assert_eq(rows.all[0].end_ns, 1005000000);
    cr_assert_eq(rows.all[0].deadline_ns, 1016666666);
    cr_assert_eq(rows.all[0].pid, 77);
    cr_assert(!rows.all[0].janky);
    cr_assert_eq(rows.all[0].findings, 0);
    cr_assert(rows.all[1].janky);
    cr_assert_eq(rows.all[1].findings, UINT32_C(1) << DJ_FINDING_SYNC);
    dj_triage_rows_finish(&rows);
    dj_text_finish(&text);
}

Test(rows, a_frame_in_two_dumps_counts_once)
{
    struct dj_text text = {0};
    struct dj_triage_rows rows = {0};
    for (int i = 0; i < 2; i++) {
        dj_text_format(&text, "%s", head);
        append_row(&text, 0, 1000, 0);
        append_row(&text, 0, 1016, 0);
        dj_text_format(&text, "%s", tail);
    }
    cr_assert_eq(read_rows(&rows, &text, NULL), 0);
    cr_assert_eq(rows.count, 2);
    dj_triage_rows_finish(&rows);
    dj_text_finish(&text);
}

Test(rows, text_without_rows_is_an_error)
{
    struct dj_text text = {0};
    struct dj_triage_rows rows = {0};
    struct dj_error err = {0};
    dj_text_format(&text, "%s%s", head, tail);
    cr_assert_eq(read_rows(&rows, &text, &err), DJ_E_NO_DATA);
    cr_assert(strstr(err.message, "expected rows of framestats") != NULL);
    dj_text_clear(&text);
    dj_text_format(&text, "nothing of the kind\n");
    cr_assert_eq(read_rows(&rows, &text, &err), DJ_E_INVALID);
    cr_assert(strstr(err.message, "expected a dump of gfxinfo") != NULL);
    dj_triage_rows_finish(&rows);
    dj_text_finish(&text);
}
