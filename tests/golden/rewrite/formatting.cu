// Odd formatting: tabs, trailing blanks, comments within, CRLF, no newline at the end.
#include <stdio.h>	 
struct   point{float x,y ;  /* z? */ float z;};   
#define   N   40

__global__   void   k( point*p /* the points */ ,int n )	
{
	int i=blockIdx.x*blockDim.x+threadIdx.x;if(i<n)p[ i ].x  =  p[i] . y*2+p [i].z ;// sum
	/* p[i].x stays text */ const char *s = "p[i].x";  (void)s;
}

int main( void )
{
  point h[N] ,*d;   int   i;
  for(i=0;i<N;i++){h[i].x=0;h[i].y=i;h[i].z=1;}
  cudaMalloc( & d , N*sizeof( point ) ) ;	// room
  cudaMemcpy(d,h,N*sizeof(point),cudaMemcpyHostToDevice);
  k<<< 2 , 32 >>>( d , N );
  cudaMemcpy(h,d,N*sizeof(point),cudaMemcpyDeviceToHost) ;
  for(i=0;i<N;i++)printf( "%g\n" , h[i].x ) ;
  cudaFree(d);return 0;
}   