#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_notes, .fini = finish_reading);

Test(parse_notes, notes_of_dejank_are_read)
{
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a] **\nPipeline=GLX\n"
              "Note: frame interval: 16666666ns (assumed)\n"
              "Note: not recorded: HandleInputStart, DrawStart, Sparkle\n"
              "Note: 12 frames were not recorded\n"
              "Note: rows kept: 65536\n"
              "Note: recovered 598 of 600 frames\n"
              "Note: recorded as Android 9-10, counted anew as 12L from the 4096 "
              "frames still kept of 9001\n"
              "Note: recording stopped: no more room\n"
              "Note: collection stopped: device 'a b' offline\n"
              "Note: Data has been filtered!\n"
              "Note: process has ended\n"),
        0);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_str_eq(process->pipeline, "GLX");
    cr_assert_eq(process->interval_ns, 16666666);
    cr_assert(process->interval_assumed);
    cr_assert_eq(process->not_recorded, DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START) |
                                            DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START));
    cr_assert_eq(process->dropped, 12);
    cr_assert_eq(process->rows_kept, 65536);
    cr_assert_eq(process->recovered, 598);
    cr_assert_eq(process->expected, 600);
    cr_assert_eq(process->recount.from, dj_frame_dialect_find("9-10"));
    cr_assert_eq(process->recount.to, dj_frame_dialect_find("12L"));
    cr_assert_eq(process->recount.kept, 4096);
    cr_assert_eq(process->recount.counted, 9001);
    cr_assert_str_eq(process->disabled, "no more room");
    cr_assert_str_eq(process->cut_short, "device 'a b' offline");
    cr_assert(process->ended);
    cr_assert_eq(warnings_in(&report), 1);
}

Test(parse_notes, malformed_notes_cause_warnings)
{
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a] **\nNote: frame interval: -5ns\n"
              "Note: rows kept: all\nNote: rows kept: 4294967296\n"
              "Note: recovered all of them\nNote: process has ended, they say\n"
              "Note: recorded as Android 99, counted anew as 9 from the 1 frames still "
              "kept of 2\n"
              "Note: recorded as Android 11, counted anew as 9 from the -1 frames still "
              "kept of 2\n"
              "Note: recorded as Android 11, counted anew as a release of a long name\n"
              "Note: recorded as Android 11\n"),
        0);
    cr_assert_eq(warnings_in(&report), 9);
    cr_assert_null(dump.processes[0].recount.from);
    cr_assert_eq(dump.processes[0].rows_kept, 0);
    cr_assert_eq(dump.processes[0].interval_ns, 0);
    cr_assert_eq(dump.processes[0].expected, -1);
    cr_assert_not(dump.processes[0].ended);
}
