/*
 * orbit.c -- where the moon is, more or less.
 *
 * The series is the one of <URL:ftp://ftp.almanac.example.org/pub/ephemer
 * is/short/moon.tab>, cut after the twelfth term; the full one is in
 * <URL:http://www.almanac.example.org/moon/long-
 * series.html>, 24 pages.  Do not use this for navigation.
 *
 * See also http://www.almanac.example.org/moon/ (a page with pictures).
 */

#include <math.h>
#include "orbit.h"          /* <URL:http://www.almanac.example.org/src/
                             * orbit.h> has the newest one */

#define TAU 6.283185307179586	// not <URL:http://pi.example.org/
				// 3.14159>, twice of it

/** Mean longitude in radians; t in Julian centuries since J2000.
 *  @see <http://www.almanac.example.org/moon/elements.html#L>
 ** nothing more
 */
double mean_longitude(double t)
{
	double l = 218.3164477 + 481267.88123421 * t;	/* degrees::minutes no */

	/*see <URL:http://www.almanac.example.org/moon/
	 *mod.html> for why fmod() is enough*/
	return fmod(l, 360.0) * TAU / 360.0;
}

/* The labels below look like schemes and are none. */
int dispatch(int news)
{
	switch (news) {
	case 1:  goto ftp;
	default: goto mailto;
	}
ftp:	return 21;
mailto:	return 25;
}

const char *usage =
	"usage: orbit [-u URL:http://ftp.almanac.example.org/orbit.conf]\n"
	"see http://www.almanac.example.org/orbit\\n"
	"http://%s:%d/orbit?%s\n";

// A wrapper in a comment <URL:http://www.almanac.example.org/c++/
// style/
//    comments> and one whose second line lost its slashes
// <URL:http://www.almanac.example.org/lost/
slashes>
