/* Reads the binary form of graphicsstats: `dumpsys graphicsstats --proto`, and the
 * files in /data/system/graphicsstats. */
#ifndef DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H
#define DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H

#include "gfxinfo/parse.h"

enum {
    /* Maximum number of entries. Further entries are ignored. */
    DJ_GRAPHICSSTATS_MOST = 1 << 16
};

/* Returns whether these first bytes of a file (a few hundred are enough) are a dump of
 * graphicsstats: they contain a package name, and bytes that do not occur in text. */
bool dj_gfxinfo_is_graphicsstats_dump(const char *bytes, size_t length);

/* Returns whether these first bytes are a stored file of graphicsstats with a package
 * name. */
bool dj_gfxinfo_is_graphicsstats_file(const char *bytes, size_t length);

/* Read `length` bytes as entries of *dump. The caller calls dj_gfxinfo_dump_finish(),
 * even after an error. Return 0, DJ_E_NO_DATA if there are no entries, DJ_E_VERSION for a
 * stored file with another version than 1, DJ_E_TRUNCATED for a stored file without a
 * version, or DJ_E_NO_MEMORY.
 *
 * Truncated or damaged data causes a warning in *report with the byte offset and with
 * line 0. Earlier entries remain. The damaged entry also remains, without its histograms,
 * if its counters are complete. Entries without a package or counters are ignored, as in
 * hwui.
 *
 * The protocol has no percentiles and no percentage of janky frames. They are computed
 * from the counters and buckets exactly as hwui computes them for the text form. The
 * percentiles are absent if a bucket is unknown or missing. */
int dj_gfxinfo_parse_graphicsstats_dump(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err);
int dj_gfxinfo_parse_graphicsstats_file(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err);

#endif
