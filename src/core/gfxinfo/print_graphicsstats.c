#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"
#include "gfxinfo/print_private.h"

/* Android 8 and later print a record per day, with times in ms. 6 and 7 print the same
 * block as gfxinfo. */
enum { FIRST_API_WITH_SERVICE = 22, FIRST_API_OF_DAYS = 26, FIRST_API_WITH_UID = 35 };

bool dj_gfxinfo_has_graphicsstats(const struct dj_dialect *dialect)
{
    return dialect->api >= FIRST_API_WITH_SERVICE;
}

static void print_day(struct dj_text *text, const struct dj_graphicsstats *entry,
                      const char *version, const struct dj_dialect *dialect)
{
    struct dj_stats_block block = entry->stats;
    block.lines &= ~(dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE) | dj_lines_of_legacy_rule());
    if (dialect->api >= FIRST_API_WITH_UID && entry->uid >= 0) {
        dj_text_format(text, "\nUID: %lld", (long long)entry->uid);
    }
    dj_text_add(text, "\nPackage: ");
    dj_gfxinfo_print_name(text, entry->package);
    dj_text_add(text, "\nVersion: ");
    dj_gfxinfo_print_name(text, version);
    dj_text_format(text, "\nStats since: %lldns\nStats end: %lldns",
                   (long long)entry->start_ms, (long long)entry->end_ms);
    dj_gfxinfo_print_block(text, &block, dialect);
    dj_text_add(text, "\n");
}

void dj_gfxinfo_print_graphicsstats(struct dj_text *text,
                                    const struct dj_graphicsstats *entry,
                                    const char *version, const struct dj_dialect *dialect)
{
    if (dialect->api >= FIRST_API_OF_DAYS) {
        print_day(text, entry, version, dialect);
        return;
    }
    dj_text_add(text, "Package: ");
    dj_gfxinfo_print_name(text, entry->package);
    dj_gfxinfo_print_block(text, &entry->stats, dialect);
    dj_text_add(text, "\n\n");
}
