/* Reading graphicsstats in its binary form: `dumpsys graphicsstats --proto`, and the
 * files below /data/system/graphicsstats. */
#ifndef DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H
#define DEJANK_GFXINFO_GRAPHICSSTATS_PROTO_H

#include "gfxinfo/parse.h"

enum { DJ_GRAPHICSSTATS_MOST = 1 << 16 }; /* entries; further ones are passed over */

/* Whether these first bytes (some hundred are enough) are of the dump, or of a stored
 * file: a message with the name of a package, and bytes that no text has. */
bool dj_is_graphicsstats_dump(const char *bytes, size_t length);
bool dj_is_graphicsstats_file(const char *bytes, size_t length);

/*
 * Reads `length` bytes (not modified) into entries of *dump, which the caller finishes
 * also after an error. 0, or DJ_E_NO_DATA where no entry is in it, DJ_E_VERSION for a
 * stored file of another version than 1, DJ_E_TRUNCATED for one without any, or
 * DJ_E_NO_MEMORY. What is cut short or damaged is a warning in *report with
 * line 0, since there are none, and the byte: the entries before are kept, and of the
 * entry itself all but its histograms if its counters are whole.
 *
 * A block's `lines` are what the message held. Percentiles and the share of janky frames,
 * which it does not hold, are what hwui computes and prints of these very counters and
 * buckets, so that they are as in the text of the same entry; they stay away with a
 * bucket that no release has, and where a stored file lacks some. An entry without a
 * package or counters is passed over, as hwui does.
 */
int dj_parse_graphicsstats_dump(const char *bytes, size_t length, struct dj_dump *dump,
                                struct dj_parse_report *report, struct dj_error *err);
int dj_parse_graphicsstats_file(const char *bytes, size_t length, struct dj_dump *dump,
                                struct dj_parse_report *report, struct dj_error *err);

#endif
