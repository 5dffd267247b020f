#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"
#include "gfxinfo/print_parts.h"

/* From 8 on an entry is a record of a day, and tells milliseconds; 6 and 7 print the
 * block of gfxinfo as it is (gfxinfo.md §5). */
enum { FIRST_API_WITH_SERVICE = 22, FIRST_API_OF_DAYS = 26, FIRST_API_WITH_UID = 35 };

bool dj_prints_graphicsstats(const struct dj_dialect *dialect)
{
    return dialect->api >= FIRST_API_WITH_SERVICE;
}

static uint32_t lines_of_field(enum dj_line_kind kind, unsigned field)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (dj_line_at(i)->kind == kind && dj_line_at(i)->field == field) {
            mask |= UINT32_C(1) << i;
        }
    }
    return mask;
}

/* A record of a day has no second count by the old rule. */
static uint32_t lines_of_day(void)
{
    return ~(dj_lines_of_kind(DJ_LINE_SINCE) |
             lines_of_field(DJ_LINE_JANKY, DJ_COUNTER_JANKY_LEGACY) |
             lines_of_field(DJ_LINE_COUNTER, DJ_COUNTER_DEADLINE_MISSED_LEGACY));
}

static void print_day(struct dj_text *text, const struct dj_graphicsstats *entry,
                      const char *version, const struct dj_dialect *dialect)
{
    struct dj_stats_block block = entry->stats;
    block.lines &= lines_of_day();
    if (dialect->api >= FIRST_API_WITH_UID && entry->uid >= 0) {
        dj_text_format(text, "\nUID: %lld", (long long)entry->uid);
    }
    dj_text_string(text, "\nPackage: ");
    dj_print_name(text, entry->package);
    dj_text_string(text, "\nVersion: ");
    dj_print_name(text, version);
    dj_text_format(text, "\nStats since: %lldns\nStats end: %lldns",
                   (long long)entry->start_ms, (long long)entry->end_ms);
    dj_print_block(text, &block, dialect);
    dj_text_string(text, "\n");
}

void dj_print_graphicsstats(struct dj_text *text, const struct dj_graphicsstats *entry,
                            const char *version, const struct dj_dialect *dialect)
{
    if (dialect->api >= FIRST_API_OF_DAYS) {
        print_day(text, entry, version, dialect);
        return;
    }
    dj_text_string(text, "Package: ");
    dj_print_name(text, entry->package);
    dj_print_block(text, &entry->stats, dialect);
    dj_text_string(text, "\n\n");
}
