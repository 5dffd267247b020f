/* Tests the detection of traces. */
#include <criterion/criterion.h>
#include <string.h>

#include "trace/sniff.h"

static bool is_trace(const char *text)
{
    return dj_trace_sniff(text, strlen(text), strlen(text));
}

Test(sniff, accepts_trace_texts)
{
    cr_expect(is_trace("# tracer: nop\n#\n"));
    cr_expect(is_trace("  <idle>-0  [003] d..2 1234.567890: sched_switch: prev_comm=x"));
    cr_expect(
        is_trace("x\na b-7 (100) [001] .... 12.000001: cpu_frequency_limits: min=1"));
    cr_expect(is_trace("{\"traceEvents\":[]}"));
    cr_expect(is_trace("<html>\n<script class=\"trace-data\">"));
    cr_expect(is_trace("capturing trace... done\nTRACE:\n\x78\x9c"));
    cr_expect(is_trace("DEJANK\r\n"));
    cr_expect(is_trace("\x17\x08\x44tracing6"));
}

Test(sniff, refuses_other_texts)
{
    static const char *const texts[] = {
        "",
        "[",
        "[000",
        "[000]",
        "[000] 1.23456: x\n",
        "[12] 1.234567: x\n",
        "[000] no stamp\n1.234567: x\n",
        "[000] 1.234567",
        "** Graphics info for pid 1 [a] **\nTotal frames rendered: 1\n",
        "11-20 10:00:00.123  1234  1260 I HWUI: Davey! duration=812ms; Flags=0\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_expect_not(is_trace(texts[i]), "%s", texts[i]);
    }
}
