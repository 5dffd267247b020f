/* Reads the binary form of graphicsstats: `dumpsys graphicsstats --proto`, and the
 * files in /data/system/graphicsstats. */
#ifndef DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H
#define DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H

#include "gfxinfo/parse.h"

enum {
    DJ_GRAPHICSSTATS_MOST = 1 << 16
}; /* maximum number of entries; more are ignored */

/* Each returns whether these first bytes (a few hundred suffice) belong to the dump or
 * to a stored file: a message with a package name, and bytes that no text contains. */
bool dj_gfxinfo_is_graphicsstats_dump(const char *bytes, size_t length);
bool dj_gfxinfo_is_graphicsstats_file(const char *bytes, size_t length);

/* Each reads `length` bytes (not modified) into entries of *dump, which the caller
 * finishes also after an error. Returns 0, DJ_E_NO_DATA without entries, DJ_E_VERSION
 * for a stored file of another version than 1, DJ_E_TRUNCATED for a stored file
 * without a version, or DJ_E_NO_MEMORY. Truncated or damaged data causes a warning in
 * *report with line 0 (binary data has no lines) and the byte. Earlier entries remain,
 * and so does the damaged entry without its histograms if its counters are complete.
 *
 * `lines` of a block says what the message contained. The message has no percentiles
 * and no percentage of janky frames. They are computed from the counters and buckets
 * exactly as hwui computes them for the text form. They are absent if a bucket belongs
 * to no release or if a stored file lacks buckets. Entries without a package or
 * counters are ignored, as hwui does. */
int dj_gfxinfo_parse_graphicsstats_dump(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err);
int dj_gfxinfo_parse_graphicsstats_file(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err);

#endif
