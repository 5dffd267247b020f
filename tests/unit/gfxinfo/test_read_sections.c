/* Tests uninterpreted text in a dump, and dumps in a bug report. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_sections, .fini = finish_reading);

#define HEADER "** Graphics info for pid 1 [a] **\n"

static const char *section(size_t n)
{
    cr_assert_lt(n, only_process()->section_count, "%zu sections",
                 only_process()->section_count);
    return only_process()->sections[n].text;
}

static void expect_sections(size_t count)
{
    cr_assert_eq(only_process()->section_count, count, "%zu sections",
                 only_process()->section_count);
}

/* Android 5 … 8. */
Test(parse_sections, caches_of_5_to_8_are_stored)
{
    cr_assert_eq(parse(HEADER "\nCaches:\n"
                              "Current memory usage / total memory usage (bytes):\n"
                              "  TextureCache          1234 / 25165824\n"
                              "  Layers                   0 (numLayers = 0)\n"
                              "Other:\n  FboCache               0 /        0\n"
                              "Total memory usage:\n  1234 bytes, 0.00 MB\n\n"
                              "Pipeline=OpenGLRenderer\n\nProfile data in ms:\n\n"),
                 0);
    expect_sections(2);
    cr_assert_eq(strncmp(section(0), "Caches:\nCurrent memory", 22), 0);
    cr_assert_str_eq(strstr(section(0), "Total"),
                     "Total memory usage:\n  1234 bytes, 0.00 MB");
    cr_assert_eq(only_process()->sections[0].line, 3);
    cr_assert_str_eq(section(1), "Pipeline=OpenGLRenderer");
    cr_assert_eq(only_process()->sections[1].line, 12);
    cr_assert_str_eq(only_process()->pipeline, "OpenGLRenderer");
    cr_assert_eq(warnings_in(&report), 0);
}

/* Android 12 and later print the caches in the reverse order, and buffers. */
Test(parse_sections, caches_and_buffers_since_12_are_stored)
{
    cr_assert_eq(
        parse(HEADER
              "\nPipeline=Skia (Vulkan)\nMemory policy:\n"
              "  Max surface area: 2332800\n  Max resource usage: 26.70MB (x3)\n"
              "Contexts: 1 (stopped = 0)\nCPU Caches:\n  Glyph Count: 12 \n"
              "GPU Caches:\n  Other:\n    Buffer Object: 12.00 KB (1 entry)\n"
              "  Layers Total           0.00 KB (numLayers = 3)\n"
              "Total GPU memory usage:\n  12345 bytes, 0.01 MB (0.00 MB is "
              "purgeable)\n\n"
              "GraphicBufferAllocator buffers:\n"
              "    Handle |        Size |     W (Stride) x H | Layers |   Format | "
              "     Usage | Requestor\n"
              "0x7f00112233 | 4050.00 KiB | 1080 (1088) x 2400 |      1 |        1 "
              "| 0x    1b00 | com.x/com.x.Main\n"
              "Total allocated by GraphicBufferAllocator (estimate): 4050.00 KB\n\n"
              "Profile data in ms:\n"),
        0);
    expect_sections(2);
    cr_assert_eq(strncmp(section(0), "Pipeline=Skia (Vulkan)\nMemory policy:\n", 38), 0);
    cr_assert_not_null(strstr(section(0), "  Glyph Count: 12\n"));
    cr_assert_eq(strncmp(section(1), "GraphicBufferAllocator buffers:\n", 32), 0);
    cr_assert_not_null(strstr(section(1), "\n0x7f00112233 | 4050.00 KiB | 1080"));
    cr_assert_str_eq(only_process()->pipeline, "Skia (Vulkan)");
    cr_assert_eq(only_process()->window_count, 0);
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_sections, a_process_may_have_no_caches)
{
    static const char *const lines[] = {"No caches instance.", "No valid cache instance.",
                                        "No GPU context.",
                                        "No GrContext; however 2 remaining Vulkan refs"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, HEADER "\n%s\n\nProfile data in ms:\n", lines[i]);
        cr_assert_eq(parse_text(&text), 0);
        expect_sections(1);
        cr_assert_str_eq(section(0), lines[i]);
        dj_text_finish(&text);
    }
}

Test(parse_sections, the_view_hierarchy_is_stored)
{
    cr_assert_eq(parse(HEADER "Profile data in ms:\n\n\ta/a.Main/"
                              "android.view.ViewRootImpl@1d5ddd6 (visibility=0)\n\n"
                              "View hierarchy:\n\n"
                              "  a/a.Main/android.view.ViewRootImpl@1d5ddd6\n"
                              "  57 views, 89.12 kB of render nodes\n\n"
                              "Total ViewRootImpl   : 1\nTotal attached Views : 57\n"
                              "Total RenderNode     : 89.12 kB (used) / 120.00 kB "
                              "(capacity)\n\n"),
                 0);
    expect_sections(3);
    cr_assert_str_eq(section(0), "View hierarchy:");
    cr_assert_str_eq(section(1), "  a/a.Main/android.view.ViewRootImpl@1d5ddd6\n"
                                 "  57 views, 89.12 kB of render nodes");
    cr_assert_eq(strncmp(section(2), "Total ViewRootImpl   : 1\n", 25), 0);
    cr_assert_eq(only_process()->window_count, 1,
                 "names in the view hierarchy are not windows");
}

/* Android 4 and 5 print a list of drawing commands. */
Test(parse_sections, display_list_operations_are_stored)
{
    cr_assert_eq(parse(HEADER
                       "\nRecent DisplayList operations\n"
                       "    DrawDisplayList\n      ClipRect\n    RestoreToCount\n\n"
                       "Caches:\n  x\nTotal memory usage:\n  1 bytes, 0.00 MB\n\n"
                       "Profile data in ms:\n"),
                 0);
    expect_sections(2);
    cr_assert_str_eq(section(0), "Recent DisplayList operations\n    DrawDisplayList\n"
                                 "      ClipRect\n    RestoreToCount");
}

Test(parse_sections, lines_of_vendors_are_stored_with_their_position)
{
    cr_assert_eq(parse(HEADER "Total frames rendered: 5\nOppo jank level: 3\n"
                              "Janky frames: 1 (20.00%)\n\n[MIUI] render mode = 2\n"
                              "  key: value\n\n\nProfile data in ms:\n\n"
                              "\ta (visibility=0)\nWindow: a\nHwFlingFps: 59.9\n"
                              "Total frames rendered: 4\n\n---PROFILEDATA---\n"
                              "Flags,IntendedVsync,FrameCompleted,\n0,1,2,\n"
                              "---PROFILEDATA---\nvendor tail\n"),
                 0);
    expect_sections(4);
    cr_assert_str_eq(section(0), "Oppo jank level: 3");
    cr_assert_str_eq(section(1), "[MIUI] render mode = 2\n  key: value");
    cr_assert_str_eq(section(2), "HwFlingFps: 59.9");
    cr_assert_str_eq(section(3), "vendor tail");
    cr_assert_eq(only_process()->sections[2].line, 14);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_JANKY], 1);
    cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 4);
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_sections, a_section_has_a_title)
{
    static const struct {
        const char *text, *title;
    } sections[] = {
        {"Caches:\n  one", "Caches"},
        {"   \tMemory policy:  ", "Memory policy"},
        {"a: b", "a: b"},
        {":::", ""},
        {"0123456789012345678901234567890123456789012345678901234567890123456789",
         "012345678901234567890123456789012345678901234567890123456789012"},
    };
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        char title[DJ_SECTION_TITLE];
        struct dj_text text = {0};
        dj_text_format(&text, HEADER "%s\n", sections[i].text);
        cr_assert_eq(parse_text(&text), 0);
        expect_sections(1);
        cr_assert_str_eq(
            dj_gfxinfo_dump_section_title(&only_process()->sections[0], title),
            sections[i].title);
        dj_text_finish(&text);
    }
}

Test(parse_sections, nul_bytes_become_blanks)
{
    static const char text[] = HEADER "a\0b\0\n\0c\n\0\n";
    cr_assert_eq(parse_bytes(text, sizeof(text) - 1), 0);
    cr_assert_geq(only_process()->section_count, 1);
    for (size_t i = 0; i < only_process()->section_count; i++) {
        cr_assert_not_null(section(i));
    }
    cr_assert_eq(strncmp(section(0), "a b", 3), 0);
}

/* The quotes and the indentation of the whole text are not stored. */
Test(parse_sections, quotes_are_removed)
{
    static const char *const befores[] = {"> ", "    ", "| ", "\t", "I/x( 12): "};
    for (size_t i = 0; i < sizeof(befores) / sizeof(befores[0]); i++) {
        struct dj_text plain = {0};
        struct dj_text text = {0};
        dj_text_add(&plain, HEADER "Caches:\n  one\n    two\nend\n");
        append_with_prefix(&text, &plain, befores[i], "\r\n");
        cr_assert_eq(parse_text(&text), 0);
        expect_sections(1);
        cr_assert_str_eq(section(0), "Caches:\n  one\n    two\nend", "after \"%s\": %s",
                         befores[i], section(0));
        dj_text_finish(&plain);
        dj_text_finish(&text);
    }
}

Test(parse_sections, text_of_more_than_1_mib_is_not_stored)
{
    struct dj_text text = {0};
    dj_text_add(&text, HEADER);
    size_t lines = (size_t)DJ_PARSE_SECTION_BYTES / 16 + 100;
    for (size_t i = 0; i < lines; i++) {
        dj_text_format(&text, "vendor %08zu\n%s", i, i % 1000 == 999 ? "\n" : "");
    }
    dj_text_add(&text, "Total frames rendered: 5\nPipeline=x\n"
                       "** Graphics info for pid 2 [b] **\nsmall\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.process_count, 2);
    size_t kept = 0;
    for (size_t i = 0; i < dump.processes[0].section_count; i++) {
        kept += strlen(dump.processes[0].sections[i].text) + 1;
    }
    cr_assert_leq(kept, DJ_PARSE_SECTION_BYTES);
    cr_assert_geq(kept, DJ_PARSE_SECTION_BYTES - 16);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_str_eq(dump.processes[0].pipeline, "x");
    cr_assert_eq(dump.processes[1].section_count, 1, "each process has its own limit");
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert(warned_of("bytes of other text"));
    cr_assert_gt(report.warning[0].line, DJ_PARSE_SECTION_BYTES / 16);
    dj_text_finish(&text);
}

Test(parse_sections, a_line_of_more_than_1_mib_is_not_stored)
{
    struct dj_text text = {0};
    dj_text_add(&text, HEADER "one\n");
    for (size_t i = 0; i < (size_t)DJ_PARSE_SECTION_BYTES / 8 + 1; i++) {
        dj_text_add(&text, "01234567");
    }
    dj_text_add(&text, "\nTotal frames rendered: 5\n");
    cr_assert_eq(parse_text(&text), 0);
    expect_sections(1);
    cr_assert_str_eq(section(0), "one");
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    dj_text_finish(&text);
}

Test(parse_sections, text_outside_a_process_is_ignored)
{
    cr_assert_eq(parse("before\n\nmore before\nTotal frames rendered: 5\n"), 0);
    expect_sections(0);
    cr_assert_eq(parse("Package: a\nVersion: 1\nStats since: 3ns\nVendor: x\n\nafter\n"),
                 0);
    cr_assert_eq(dump.process_count, 0);
    cr_assert_eq(dump.graphicsstats_count, 1);
    cr_assert_eq(parse("words\n** Graphics info for pid 1 [a] **\nin it\n"), 0);
    expect_sections(1);
    cr_assert_str_eq(section(0), "in it");
}

#define REPORT                                                                           \
    "========================================================\n"                         \
    "== dumpstate: 2024-07-04 12:00:00\n"                                                \
    "========================================================\n\n"

/* Lines that would be output of gfxinfo if they were not in the part of another
 * service. */
#define DECOYS                                                                           \
    "Total frames rendered: 666\nJanky frames: 66 (66.00%)\nStats since: 666ns\n"        \
    "Window: decoy\nProfile data in ms:\n\tdecoy/d (visibility=0)\n"                     \
    "\tDraw\tPrepare\tProcess\tExecute\n\t6.66\t6.66\t6.66\t6.66\n---PROFILEDATA---\n"   \
    "Flags,IntendedVsync,FrameCompleted,\n6,66,666,\n---PROFILEDATA---\n"                \
    "Package: decoy\nVersion: 66\nStats since: 6ns\nTotal frames rendered: 666\n"        \
    "HISTOGRAM: 5ms=666\nNo process found for: decoy\nUptime: 66 Realtime: 66\n"         \
    "Permission Denial: can't dump gfxinfo from from pid=6, uid=6\n"                     \
    "Failure while dumping the app: decoy\n"                                             \
    "1,2,3,4,5,6,7,8,9,10,11,12,13,\n"

#define GFXINFO                                                                          \
    "Applications Graphics Acceleration Info:\nUptime: 1000 Realtime: 2000\n\n"          \
    "** Graphics info for pid 7 [com.x] **\n\nTotal frames rendered: 12\n\n"             \
    "Profile data in ms:\n\n\tcom.x/m (visibility=0)\n---PROFILEDATA---\n"               \
    "Flags,IntendedVsync,FrameCompleted,\n0,100,200,\n---PROFILEDATA---\n\n"             \
    "View hierarchy:\n\n  com.x/m\n  1 views\n\n"

#define GRAPHICSSTATS                                                                    \
    "Package: com.x\nVersion: 34\nStats since: 1700000000000ns\n"                        \
    "Stats end: 1700000100000ns\nTotal frames rendered: 99\n\n"

#define DAVEY                                                                            \
    "07-04 12:00:00.123  1234  1260 I OpenGLRenderer: Davey! duration=812ms; "           \
    "Flags=0, IntendedVsync=100, FrameCompleted=812000100, \n"
#define RULE                                                                             \
    "-------------------------------------------------------------------------------\n"

static void expect_report(size_t processes, size_t entries, size_t daveys)
{
    cr_assert_eq(dump.process_count, processes, "%zu processes", dump.process_count);
    cr_assert_eq(dump.graphicsstats_count, entries);
    cr_assert_eq(dump.davey_count, daveys);
    cr_assert_null(dump.not_found);
    cr_assert_eq(report.refusal, DJ_REFUSAL_NONE);
    cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
    if (processes > 0) {
        const struct dj_dump_process *process = &dump.processes[0];
        cr_assert_eq(dump.uptime_ms, 1000);
        cr_assert_eq(process->stats.stats.counter[DJ_COUNTER_TOTAL], 12);
        cr_assert_eq(process->window_count, 1);
        cr_assert_eq(process->windows[0].frame_count, 1);
        cr_assert_eq(process->section_count, 2, "%zu sections", process->section_count);
    }
    if (entries > 0) {
        cr_assert_str_eq(dump.graphicsstats[0].package, "com.x");
        cr_assert_eq(dump.graphicsstats[0].stats.stats.counter[DJ_COUNTER_TOTAL], 99);
    }
    for (size_t i = 0; i < daveys; i++) {
        cr_assert_eq(dump.daveys[i].pid, 1234);
        cr_assert_eq(dump.daveys[i].duration_ms, 812);
    }
}

Test(parse_sections, only_the_gfxinfo_part_of_a_bug_report_is_read)
{
    cr_assert_eq(
        parse(REPORT
              "Build: x\n" DECOYS "------ UPTIME (uptime) ------\n" DECOYS
              "------ SYSTEM LOG (logcat -v threadtime -d) ------\n" DECOYS DAVEY
              "------ 0.123s was the duration of 'SYSTEM LOG' ------\n" DECOYS RULE
              "DUMP OF SERVICE SurfaceFlinger:\n" DECOYS
              "--------- 0.002s was the duration of dumpsys SurfaceFlinger, ending "
              "at: 2024-07-04 12:00:01\n" RULE "DUMP OF SERVICE gfxinfo:\n" GFXINFO
              "--------- 0.054s was the duration of dumpsys gfxinfo, ending at: "
              "2024-07-04 12:00:02\n" DECOYS RULE
              "DUMP OF SERVICE graphicsstats:\n" GRAPHICSSTATS
              "--------- 0.054s was the duration of dumpsys graphicsstats, ending "
              "at: 2024-07-04 12:00:02\n" RULE "DUMP OF SERVICE package:\n" DECOYS
              "== dumpstate: done\n" DECOYS
              "------ LAST LOGCAT (logcat -L) ------\n" DAVEY DECOYS),
        0);
    expect_report(1, 1, 2);
    cr_assert_lt(dump.daveys[0].line, dump.daveys[1].line);
}

Test(parse_sections, services_of_any_priority_are_recognized)
{
    cr_assert_eq(parse(REPORT "DUMP OF SERVICE CRITICAL SurfaceFlinger:\n" DECOYS
                              "DUMP OF SERVICE HIGH gfxinfo:\n" GFXINFO
                              "DUMP OF SERVICE HIGH graphicsstats:\n" GRAPHICSSTATS
                              "DUMP OF SERVICE NORMAL activity:\n" DECOYS),
                 0);
    expect_report(1, 1, 0);
}

/* Output of `dumpsys` for all services, without a bug report around it. */
Test(parse_sections, only_the_gfxinfo_part_of_all_services_is_read)
{
    cr_assert_eq(parse("Currently running services:\n  gfxinfo\n  window\n" RULE
                       "DUMP OF SERVICE activity:\n" DECOYS RULE
                       "DUMP OF SERVICE gfxinfo:\n" GFXINFO RULE
                       "DUMP OF SERVICE window:\n" DECOYS),
                 0);
    expect_report(1, 0, 0);
}

/* A line that looks like a part of a bug report has no effect in a plain dump. */
Test(parse_sections, lines_of_dashes_in_a_plain_dump_end_nothing)
{
    cr_assert_eq(parse("Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n"
                       "** Graphics info for pid 1 [a] **\n------ vendor (x) ------\n"
                       "Total frames rendered: 5\n"),
                 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    expect_sections(1);
}

/* The end of a part closes everything that was open in it. */
Test(parse_sections, the_end_of_a_part_ends_a_block)
{
    cr_assert_eq(parse(REPORT "DUMP OF SERVICE gfxinfo:\n"
                              "** Graphics info for pid 7 [com.x] **\n---PROFILEDATA---\n"
                              "Flags,IntendedVsync,FrameCompleted,\n0,100,200,\n0,3\n"
                              "--------- 0.054s was the duration of dumpsys gfxinfo\n"
                              "0,300,400,\nTotal frames rendered: 6\n"),
                 0);
    cr_assert_eq(only_window()->frame_count, 2);
    cr_assert_eq(report.rows_bad, 1);
    cr_assert(warned_of("without a closing"));
    cr_assert_not(only_process()->stats.present);
}

/* A report contains several dumps: in ANR traces, and of the service itself. */
Test(parse_sections, several_gfxinfo_parts_of_a_report_are_read)
{
    cr_assert_eq(
        parse(REPORT
              "DUMP OF SERVICE gfxinfo:\n" GFXINFO "DUMP OF SERVICE window:\n" DECOYS
              "------ DUMPSYS GFXINFO (/system/bin/dumpsys gfxinfo) ------\n" GFXINFO
              "------ DUMPSYS MEMINFO (dumpsys meminfo) ------\n" DECOYS),
        0);
    expect_report(2, 0, 0);
    cr_assert_eq(dump.processes[1].windows[0].frame_count, 1);
}

Test(parse_sections, a_report_without_gfxinfo_has_no_dump)
{
    cr_assert_eq(parse(REPORT "DUMP OF SERVICE SurfaceFlinger:\n" DECOYS
                              "------ SYSTEM LOG (logcat) ------\n" DECOYS),
                 DJ_E_NO_DATA);
    cr_assert_eq(dump.process_count, 0);
}
