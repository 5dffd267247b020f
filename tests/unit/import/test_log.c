#include <criterion/criterion.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"
#include "import/log.h"

#define HEADER "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nLinux,AMD,,24684092,6.1,4.5,\n"
#define COLUMNS "fps,frametime,cpu_load,elapsed\n"

static struct dj_log taken;
static struct dj_error failure;

static void forget(void)
{
    dj_import_finish_log(&taken);
}

static int read_log(const char *text)
{
    failure = (struct dj_error){0};
    return dj_import_read_log(text, strlen(text), &taken, &failure);
}

static void expect_frame(size_t stream, size_t i, int64_t end_ns, int64_t time_ns)
{
    cr_assert(stream < taken.stream_count);
    cr_assert(i < taken.streams[stream].frame_count);
    const struct dj_log_frame *frame = &taken.streams[stream].frames[i];
    cr_expect(frame->end_ns == end_ns, "end %ld", (long)frame->end_ns);
    cr_expect(frame->time_ns == time_ns, "time %ld", (long)frame->time_ns);
}

static void expect_failure(const char *text, int code, size_t line, const char *words)
{
    cr_expect(read_log(text) == code, "%s: code %d", text, failure.code);
    cr_expect(taken.error_line == line, "%s: line %zu", text, taken.error_line);
    cr_expect(strstr(failure.message, words) != NULL, "%s", failure.message);
    dj_import_finish_log(&taken);
}

static void expect_note(size_t i, size_t line, const char *words)
{
    cr_assert(i < taken.note_count, "%zu notes", taken.note_count);
    cr_expect(taken.notes[i].line == line, "line %zu", taken.notes[i].line);
    cr_expect(strstr(taken.notes[i].message, words) != NULL, "%s",
              taken.notes[i].message);
}

TestSuite(log, .fini = forget);

Test(log, old_versions_of_mangohud_write_microseconds)
{
    cr_assert(read_log(HEADER COLUMNS "60,16667,100,16667000\n"
                                      "30,33333,100,50000000\n") == 0,
              "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "mangohud");
    cr_expect_str_eq(taken.unit, "us");
    cr_expect(taken.frames == 2 && taken.note_count == 0 && taken.rows_bad == 0);
    expect_frame(0, 0, 16667000, 16667000);
    expect_frame(0, 1, 50000000, 33333000);
}

Test(log, new_versions_of_mangohud_write_milliseconds)
{
    cr_assert(read_log("v1\n0.7.1\n---------------------SYSTEM INFO-------------\n" HEADER
                       "--------------------FRAME METRICS---------------\n" COLUMNS
                       "60,16.6667,100,16666700\n120,8.3333,100,25000000\n") == 0,
              "%s", failure.message);
    cr_expect_str_eq(taken.unit, "ms");
    expect_frame(0, 0, 16666700, 16666700);
    expect_frame(0, 1, 25000000, 8333300);
    cr_expect_str_eq(taken.facts[1].name, "cpu");
    cr_expect_str_eq(taken.facts[1].value, "AMD");
    /* The values of gpu and cpuscheduler are empty. */
    cr_expect(taken.fact_count == 5, "what is empty is unknown");
}

Test(log, a_bare_log_has_no_clock_of_its_own)
{
    cr_assert(read_log("fps,frametime\n100,10\n50,20\n") == 0, "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "fps-frametime");
    expect_frame(0, 0, 10000000, 10000000);
    expect_frame(0, 1, 30000000, 20000000);
    dj_import_finish_log(&taken);
    cr_assert(read_log("100,10\n50,20\n") == 0, "%s", failure.message);
    expect_note(0, 0, "no header");
    expect_frame(0, 1, 30000000, 20000000);
}

Test(log, the_unit_follows_from_most_rows)
{
    /* Frames of 2 s between fast frames look like times in µs. */
    struct dj_text text = {0};
    dj_text_add(&text, "fps,frametime\n");
    for (int i = 0; i < 60; i++) {
        dj_text_add(&text, i == 30 ? "500,2000\n" : "500,2\n");
    }
    cr_assert(read_log(dj_text_get(&text)) == 0, "%s", failure.message);
    cr_expect_str_eq(taken.unit, "ms");
    expect_frame(0, 30, 2060000000, 2000000000);
    expect_note(0, 32, "it is read in ms");
    dj_text_finish(&text);
}

Test(log, mixed_units_are_an_error_with_both_lines)
{
    expect_failure("fps,frametime\n60,16.67\n60,16.67\n60,16670\n60,16670\n",
                   DJ_E_INVALID, 4, "in us here and in ms in line 2");
    expect_failure("fps,frametime\n60,57\n60,57\n", DJ_E_INVALID, 2,
                   "fps × frametime is 3420");
}

Test(log, rows_without_a_frame_are_skipped_with_a_note)
{
    cr_assert(read_log("fps,frametime\n60,16.67\n60,nan\n60,-1\ninf,inf\n60\n0x3c,9\n"
                       "60,16.67\n") == 0);
    cr_expect(taken.frames == 3 && taken.rows == 7 && taken.rows_bad == 4);
    expect_note(0, 3, "found 'nan'");
    expect_note(1, 4, "found '-1'");
    expect_note(2, 5, "found 'inf'");
    expect_note(3, 6, "1 fields, expected 2");
}

Test(log, a_truncated_last_line_is_skipped)
{
    cr_assert(read_log(COLUMNS "60,16.67,5,16670000\n60,16.67,5,33340000\n60,16.") == 0);
    cr_expect(taken.frames == 2);
    expect_note(0, 4, "the last line is truncated");
    dj_import_finish_log(&taken);
    cr_assert(read_log("fps,frametime\n60,16670\n60,16670\n60,16") == 0);
    cr_expect(taken.frames == 2);
    expect_note(0, 4, "the last line is truncated");
    dj_import_finish_log(&taken);
    cr_assert(read_log("fps,frametime\n60,16.67\n60,16.67") == 0);
    cr_expect(taken.frames == 2 && taken.note_count == 0, "no LF is no cut");
}

Test(log, byte_order_marks_crlf_and_blanks_are_accepted)
{
    cr_assert(read_log("\xef\xbb\xbf" HEADER "fps, \"frametime\" ,elapsed\r\n\r\n"
                       "60 , 16.67,16670000\r\n60,16.67,33340000\r\n") == 0,
              "%s", failure.message);
    cr_expect(taken.frames == 2 && taken.note_count == 0);
    expect_frame(0, 1, 33340000, 16670000);
}

Test(log, unambiguous_decimal_commas_are_accepted)
{
    cr_assert(read_log("fps;frametime\n59,94;16,68\n59,94;16,68\n") == 0);
    expect_frame(0, 0, 16680000, 16680000);
    dj_import_finish_log(&taken);
    cr_assert(read_log("fps,frametime\n\"59,94\",\"16,68\"\n") == 0);
    expect_frame(0, 0, 16680000, 16680000);
    dj_import_finish_log(&taken);
    expect_failure("fps,frametime\n59,94,16,68\n", DJ_E_NO_DATA, 2, "decimal comma");
}

Test(log, frames_that_began_before_the_log_are_skipped)
{
    cr_assert(read_log(COLUMNS "7e-05,14229561283,9,949189353\n"
                               "500,2000,9,951189353\n500,2000,9,953189353\n") == 0,
              "%s", failure.message);
    cr_expect(taken.frames == 2);
    expect_note(0, 2, "began before the log");
    expect_frame(0, 0, 951189353, 2000000);
}

Test(log, samples_are_marked_as_samples)
{
    cr_assert(read_log(COLUMNS "500,2000,9,100000000\n500,2000,9,200000000\n"
                               "500,2000,9,300000000\n") == 0);
    cr_expect(taken.sample_ns == 100000000);
    expect_note(0, 0, "one in 100 ms, and not every frame is logged");
    dj_import_finish_log(&taken);
    cr_assert(read_log(COLUMNS "500,2000,9,102000000\n500,2000,9,104000000\n"
                               "500,2000,9,106000000\n") == 0);
    cr_expect(taken.sample_ns == 0 && taken.note_count == 0);
}

Test(log, a_clock_that_goes_back_continues)
{
    cr_assert(read_log(COLUMNS "500,2000,9,102000000\n500,2000,9,104000000\n"
                               "500,2000,9,2000000\n500,2000,9,4000000\n") == 0);
    expect_note(0, 4, "elapsed goes back");
    cr_expect(taken.note_count == 1);
    expect_frame(0, 2, 106000000, 2000000);
    expect_frame(0, 3, 108000000, 2000000);
}

Test(log, a_summary_of_mangohud_is_refused)
{
    expect_failure("0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS,GPU Load\n"
                   "13.0,112.0,801.3,681.9,0.0\n",
                   DJ_E_INVALID, 1, "import the log, which has the same name");
}

Test(log, empty_and_other_texts_are_errors)
{
    expect_failure("", DJ_E_NO_DATA, 0, "empty");
    expect_failure("\n\n", DJ_E_NO_DATA, 0, "empty");
    expect_failure("hello\nworld\n", DJ_E_INVALID, 1, "expected gfxinfo text, or a log");
    expect_failure("fps,frametime\n", DJ_E_NO_DATA, 1, "no frame in this log");
    cr_expect_not(dj_import_is_log("hello\n", 6));
    cr_expect(dj_import_is_log("fps,frametime\n", 14));
}

#define PRESENTS                                                                         \
    "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents\n"

Test(log, two_programs_have_their_own_streams)
{
    cr_assert(read_log("//Processor=AMD Ryzen 7\n//Comment=\n" PRESENTS
                       "a.exe,7,0x1,1.0,0\na.exe,7,0x1,1.016,16\nb.exe,8,0x2,1.020,NA\n"
                       "a.exe,7,0x3,1.021,5\n") == 0,
              "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "presentmon");
    cr_assert(taken.stream_count == 2);
    cr_expect(taken.fact_count == 1, "%zu", taken.fact_count);
    cr_expect_str_eq(taken.facts[0].value, "AMD Ryzen 7");
    cr_expect_str_eq(taken.streams[0].process, "a.exe");
    cr_expect(taken.streams[0].pid == 7 && taken.streams[0].frame_count == 1);
    expect_frame(0, 0, 1016000000, 16000000);
    expect_frame(1, 0, 1021000000, 5000000);
    expect_note(0, 6, "found 'NA'");
}

Test(log, the_columns_of_presentmon_2_are_read)
{
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime\n"
                       "a.exe,7,0x1,2.0,10\na.exe,7,0x1,2.010,12.5\n") == 0);
    expect_frame(0, 0, 2010000000, 10000000);
    expect_frame(0, 1, 2022500000, 12500000);
}

static void expect_display(size_t stream, size_t frame, int64_t display_ns)
{
    cr_assert(stream < taken.stream_count && frame < taken.streams[stream].frame_count);
    const struct dj_log_frame *one = &taken.streams[stream].frames[frame];
    cr_expect(one->display_ns == display_ns, "%zu: %lld", frame,
              (long long)one->display_ns);
}

#define DISPLAYS                                                                         \
    "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,Dropped,"    \
    "MsBetweenDisplayChange,MsUntilDisplayed\n"

/* The first display is MsUntilDisplayed after its present. The others follow from the
 * distances. */
Test(log, display_changes_give_the_times_of_displays)
{
    cr_assert(read_log(DISPLAYS "a.exe,7,0x1,1.0,10,0,NA,5\n"
                                "a.exe,7,0x1,1.010,10,1,0,0\n"
                                "a.exe,7,0x1,1.020,10,0,16.25,5.5\n"
                                "a.exe,7,0x1,1.030,10,0,NA,NA\n") == 0);
    expect_display(0, 0, 1005000000);
    expect_display(0, 1, DJ_LOG_UNKNOWN);
    expect_display(0, 2, 1021250000);
    expect_display(0, 3, DJ_LOG_UNKNOWN);
    cr_expect(taken.streams[0].has_display);
    cr_expect_not(taken.streams[0].has_content);
}

Test(log, the_latency_of_presentmon_2_gives_the_times_of_displays)
{
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,"
                       "DisplayLatency,DisplayedTime\n"
                       "a.exe,7,0x1,2.0,10,30,10\na.exe,7,0x1,2.010,12.5,NA,NA\n"
                       "a.exe,7,0x1,2.0225,10,25,10\n") == 0);
    expect_display(0, 0, 2030000000);
    expect_display(0, 1, DJ_LOG_UNKNOWN);
    expect_display(0, 2, 2047500000);
}

/* The columns and rows of PresentMon 2 with --v2_metrics. CPUStartTime is in ms. */
Test(log, times_of_presentmon_2_are_in_ms)
{
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,"
                       "DisplayLatency,DisplayedTime\n"
                       "a.exe,7,0x1,2698.8659,24.4096,31.0253,8.6738\n"
                       "a.exe,7,0x1,2723.2755,16.5,30,16.5\n"
                       "a.exe,7,0x1,2739.7755,16.5,30,16.5\n") == 0);
    const struct dj_log_frame *frames = taken.streams[0].frames;
    cr_expect(frames[0].end_ns == 2723275500);
    cr_expect(frames[1].end_ns == 2739775500);
    cr_expect(frames[2].end_ns == 2756275500);
    expect_display(0, 0, 2698865900 + 31025300);
    expect_display(0, 2, 2739775500 + 30000000);
}

#define TIMES(COLUMN)                                                                    \
    "Application,ProcessID,SwapChainAddress," COLUMN ",MsBetweenPresents\n"

/* PresentMon 2.4 calls the column TimeInMs. With --qpc_time_ms it writes ms although the
 * column is TimeInSeconds. Rows of another swap chain show no step of the clock. */
Test(log, rows_show_the_unit_of_the_times)
{
    static const char *const logs[] = {
        TIMES("TimeInMs") "a.exe,7,0x1,1000,10\na.exe,7,0x1,1010,10\n",
        TIMES("TimeInSeconds") "a.exe,7,0x1,1000,10\na.exe,7,0x1,1010,10\n",
        TIMES("TimeInSeconds") "a.exe,7,0x1,1,10\na.exe,7,0x1,1.01,10\n",
        TIMES("TimeInMs") "a.exe,7,0x1,1000,10\nb.exe,9,0x2,1000.1,5\na.exe,7,0x1,1010,"
                          "10\n",
        TIMES("TimeInSeconds") "a.exe,7,0x1,1,10\nb.exe,9,0x2,2,5\na.exe,7,0x1,1.01,10\n",
    };
    for (size_t i = 0; i < COUNT_OF(logs); i++) {
        cr_assert(read_log(logs[i]) == 0);
        const struct dj_log_frame *frames = taken.streams[0].frames;
        cr_expect(frames[0].end_ns == 1000000000, "log %zu", i);
        cr_expect(frames[1].end_ns == 1010000000, "log %zu", i);
        dj_import_finish_log(&taken);
    }
}

Test(log, displayed_times_alone_give_the_steps_between_displays)
{
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,"
                       "DisplayedTime\n"
                       "a.exe,7,0x1,2.0,10,16\na.exe,7,0x1,2.010,10,33\n"
                       "a.exe,7,0x1,2.020,10,16\n") == 0);
    expect_display(0, 0, 2026000000);
    expect_display(0, 1, 2042000000);
    expect_display(0, 2, 2075000000);
}

/* MsAnimationError is the step between contents minus the step between displays. The
 * generated frame is in a stream of its own, but its display change is part of the step
 * to the next frame of the program. */
Test(log, generated_frames_are_kept_apart)
{
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,TimeInSeconds,"
                       "MsBetweenPresents,MsBetweenDisplayChange,MsAnimationError,"
                       "FrameType\n"
                       "a.exe,7,0x1,1.0,10,16,NA,Application\n"
                       "a.exe,7,0x1,1.010,0,8,NA,AMD_AFMF\n"
                       "a.exe,7,0x1,1.020,10,9,-1.5,Application\n") == 0);
    cr_assert(taken.stream_count == 2);
    cr_expect_not(taken.streams[0].is_generated);
    cr_expect(taken.streams[1].is_generated);
    cr_expect_str_eq(taken.streams[1].title, "0x1 generated: AMD_AFMF");
    expect_display(0, 0, 1016000000);
    expect_display(0, 1, 1033000000);
    expect_display(1, 0, 1024000000);
    const struct dj_log_frame *frames = taken.streams[0].frames;
    cr_expect(frames[1].content_ns - frames[0].content_ns == 17000000 - 1500000);
    cr_expect(taken.streams[1].frames[0].content_ns == DJ_LOG_UNKNOWN);
}

/* Without times in the log, each frame begins at the end of the frame before it in its
 * own stream. */
Test(log, generated_frames_without_times_are_in_order)
{
    cr_assert(read_log("Application,FrameType,MsBetweenPresents\n"
                       "a.exe,Application,10\na.exe,AMD_AFMF,6\na.exe,AMD_AFMF,5\n"
                       "a.exe,Application,10\n") == 0);
    cr_assert(taken.stream_count == 2);
    cr_assert(taken.streams[1].frame_count == 2);
    cr_expect(taken.streams[0].frames[1].end_ns == 20000000);
    cr_expect(taken.streams[1].frames[0].end_ns == 16000000);
    cr_expect(taken.streams[1].frames[1].end_ns == 21000000);
}

/* Generated frames have flag 8, so that all figures exclude them. Unknown displays stay
 * unknown. */
Test(log, a_dump_contains_displays_and_generated_frames)
{
    struct dj_dump dump;
    struct dj_dump again;
    struct dj_text text = {0};
    cr_assert(read_log("Application,ProcessID,SwapChainAddress,TimeInSeconds,"
                       "MsBetweenPresents,MsBetweenDisplayChange,FrameType\n"
                       "a.exe,7,0x1,1.0,10,16,Application\n"
                       "a.exe,7,0x1,1.010,10,8,AMD_AFMF\n"
                       "a.exe,7,0x1,1.020,10,NA,Application\n") == 0);
    dj_import_write_dump(&taken, 0, "a.exe", &dump);
    dj_gfxinfo_print_dump(&text, &dump,
                          &(struct dj_print_options){
                              .dialect = dj_frame_dialect_default(), .framestats = true});
    cr_assert(dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &again, NULL,
                                    &failure) == 0,
              "%s", failure.message);
    cr_assert(again.process_count == 1 && again.processes[0].window_count == 2);
    const struct dj_frame *drawn = again.processes[0].windows[0].frames;
    const struct dj_frame *made = again.processes[0].windows[1].frames;
    cr_assert(again.processes[0].windows[0].frame_count == 2);
    cr_assert(again.processes[0].windows[1].frame_count == 1);
    cr_expect(drawn[0].value[DJ_COLUMN_DISPLAY_PRESENT_TIME] > 0);
    cr_expect(drawn[1].value[DJ_COLUMN_DISPLAY_PRESENT_TIME] == 0);
    cr_expect(drawn[0].value[DJ_COLUMN_FLAGS] == 0);
    cr_expect(made[0].value[DJ_COLUMN_FLAGS] == DJ_FLAG_SKIPPED_FRAME);
    dj_gfxinfo_dump_finish(&again);
    dj_gfxinfo_dump_finish(&dump);
    dj_text_finish(&text);
}

/* The dump is printed and parsed again. The result must not contain more than the log. */
Test(log, a_dump_contains_no_more_than_the_log)
{
    struct dj_dump dump;
    struct dj_dump again;
    struct dj_text text = {0};
    cr_assert(read_log(COLUMNS "60,16667,100,16667000\n30,33333,100,50000000\n") == 0);
    dj_import_write_dump(&taken, 0, "glxgears", &dump);
    dj_gfxinfo_print_dump(&text, &dump,
                          &(struct dj_print_options){
                              .dialect = dj_frame_dialect_default(), .framestats = true});
    cr_assert(dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &again, NULL,
                                    &failure) == 0,
              "%s", failure.message);
    cr_assert(again.process_count == 1 && again.processes[0].window_count == 1);
    cr_expect_str_eq(again.processes[0].name, "glxgears");
    cr_expect(again.processes[0].interval_assumed);
    cr_assert(again.processes[0].windows[0].frame_count == 2);
    const struct dj_frame *frame = &again.processes[0].windows[0].frames[1];
    uint64_t ends = DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                    DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    cr_expect(frame->known == ends, "known %lx", (unsigned long)frame->known);
    cr_expect(frame->value[DJ_COLUMN_FRAME_COMPLETED] -
                  frame->value[DJ_COLUMN_INTENDED_VSYNC] ==
              33333000);
    dj_gfxinfo_dump_finish(&again);
    dj_gfxinfo_dump_finish(&dump);
    dj_text_finish(&text);
}

/* The uptime of the dump is the end of the last frame on the clock of the log. */
Test(log, a_log_of_three_days_has_plausible_times)
{
    struct dj_dump dump;
    struct dj_dump again;
    struct dj_text text = {0};
    const int64_t days_ns = 3 * 24 * 3600 * INT64_C(1000000000);
    cr_assert(read_log(COLUMNS "60,16667,100,16667000\n60,16667,100,33334000\n"
                               "30,33333,100,259200000000000\n") == 0);
    dj_import_write_dump(&taken, 0, "glxgears", &dump);
    dj_gfxinfo_print_dump(&text, &dump,
                          &(struct dj_print_options){
                              .dialect = dj_frame_dialect_default(), .framestats = true});
    cr_assert(dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &again, NULL,
                                    &failure) == 0);
    cr_expect(again.plausible.earliest_ns == 1, "not a day around the median");
    cr_expect(again.plausible.latest_ns >= days_ns);
    dj_gfxinfo_dump_finish(&again);
    dj_gfxinfo_dump_finish(&dump);
    dj_text_finish(&text);
}
