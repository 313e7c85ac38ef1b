/*
 * Statements of random kernels that are made from a form: pointers stepped in all ways, nested records, vector types, switches, lambdas, templates. In a
 * form $ stands for an expression of at most a thousand, @ for a small number.
 *
 * Included by generate.h, in the middle of it.
 */

/* What the forms call. */
static const char generate_helpers[] =
	"struct point { float x, y; };\n"
	"struct cell { point position; short kind; particle part[2]; double weight; };\n"
	"struct pair { int first, second; };\n"
	"__device__ int times(int i, int n) { int s = 1; for (int j = 0; j < n; j++) s += i; return s; }\n"
	"__device__ void fill(float *q, int n) { for (int i = 0; i < n; i++) q[i] = i; }\n"
	"__device__ pair both(int i, int j) { pair t; t.first = i + j; t.second = i - j; return t; }\n"
	"__device__ float &place(cell *w, int i) { return w[i].part[i & 1].y; }\n"
	"template <int N> __device__ int scaled(int i) { if (N > 2) return i * N; return i + N; }\n"
	"struct stepper { int step; __device__ int operator()(int i) const { return i * step; } __device__ void twice() { step *= "
	"2; } };\n";

static const char *const generate_forms[] = {
	"{ float *q = a + ($); q -= threadIdx.x; q[-1] = 0; *--q = 1; *q++ = 2; q[@] = 3; }\n",
	"{ const float *q = b + threadIdx.x; a[@] = q[-2] + q[-(int)blockIdx.x] + *(q + n) + *(q - u); }\n",
	"for (float *q = a + ($), *e = q + 9; q < e; q += 2) *q = 0;\n",
	"for (const float *q = b; q != b + 6; q++) c[$] = *q > 1;\n",
	"for (const float *q = b + 20; q-- > b + @;) a[$] = *q;\n",
	"{ float4 t = f[$]; f[$].y = t.x; f[$] = t; }\n",
	"f[$].w = f[$].z + a[$];\n",
	"w[$].position.y = w[$].part[($) & 1].x;\n",
	"w[$].part[($) & 1].v[($) & 3] += 1;\n",
	"{ cell &q = w[$]; point t = q.position; q.part[1].y = t.x; q.weight = t.y; q.kind++; }\n",
	"{ point *q = &w[$].position; q->x = 0; (*q).y = 1; q = &w[$].position; q[0].x = 2; }\n",
	"{ cell *q = w + ($); q += @; q->part[0] = q[1].part[1]; (q - 1)->kind = 3; }\n",
	"a[times($, 4)] = b[times(m, @)];\n",
	"fill(a + ($), 4);\n",
	"fill(&p[$].v[1], 2);\n",
	"place(w, $) = 1;\n",
	("{ int s = $; switch (s & 7) { case 1 ... 2: s += 2; break; case 5: s = 9; default: a[s & 63] = 1; case 6: c[s & 63] = 2; "
         "if (s & 8) break; "
         "a[65 + (s & 7)] = 0; } b[s & 31] = 0; }\n"),
	"switch (int s = ($) & 3; s) { case 0: a[$] = 0; break; case 3: a[s] = 1; case 1: { c[$] = 0; break; } }\n",
	"a[(long long)($) * 3 - (unsigned char)($)] = 0;\n",
	"{ unsigned s = threadIdx.x; s <<= 2; s |= 1; a[s ^ (n & 7)] = 0; s -= 1; a[s] = 1; }\n",
	"{ size_t s = threadIdx.x; s *= @; s += u; a[s + n] = b[s]; }\n",
	"while (int q = n & 3) { a[q] = 0; break; }\n",
	"do { a[$] = 0; } while (0);\n",
	"{ auto g = [&](int i) { return i * n + v0; }; a[g($)] = b[g($)]; }\n",
	"{ float *q = ($) > 3 ? a + @ : a + 7; *q = 0; q[1] = 1; }\n",
	"{ pair t = both($, $); a[t.first] = b[t.second]; t.first = @; a[t.first] = 0; }\n",
	"a[scaled<3>($)] = b[scaled<2>($)];\n",
	"{ stepper s = {@}; a[s($)] = 0; s.twice(); a[s($)] = 1; }\n",
	"atomicAdd(&w[$].part[1].x, 1.0f);\n",
	"atomicMax(c + ($), 3);\n",
	"{ bool t = ($) > 2; short s = (short)($); a[s + t] = 0; a[!t] = 1; }\n",
	"{ int i, j; i = j = $; a[i += 2, i] = b[j++]; a[j] = 0; a[-i] = 1; }\n",
	"if (($) > 3 && idx[$] > 2 || c == 0) a[$] = 0; else b[@] = 0;\n",
	"for (int i = 0, j = 8; i < j; i++, j -= @) a[i * 16 + j] = b[j];\n",
	"for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) { if (j == 2) continue; w[i].part[j & 1].v[j] = 0; }\n",
	"for (int i = 9; ; i -= 2) { if (i < 0) break; a[i] = b[$]; }\n",
};

/* Appends a form with its signs replaced. */
static void generate_form(struct generator *g)
{
	const char *form = generate_forms[generate_random(g, ARRAY_COUNT(generate_forms))];
	struct text inner = {0};

	for (; *form; form++) {
		if (*form == '$') {
			generate_bounded(g, &inner, 1000);
			text_puts(g->out, inner.data);
			text_release(&inner);
		} else if (*form == '@') {
			text_printf(g->out, "%u", 1 + (unsigned)generate_random(g, 6));
		} else {
			text_append(g->out, form, 1);
		}
	}
}
